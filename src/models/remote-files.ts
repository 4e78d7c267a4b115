import type { Patience } from "./patience.ts";
import type { Target } from "./server.ts";

/** A file at a provider. */
export interface RemoteFileState {
  /** The provider's name of it. */
  name: string;
  /** Address for requests; empty until the file is ready. */
  uri: string;
  /** `broken`: the provider cannot use it; `why` is its reason, if it gives one. */
  state: "preparing" | "ready" | "broken";
  why?: string;
  /** Milliseconds since 1970; null if the provider does not say. */
  expires_at: number | null;
}

/** How a file is sent. */
export interface Sending {
  signal: AbortSignal;
  /** Seconds that one request may take, in addition to the time that its body takes to send. */
  timeout_s: number;
  patience?: Patience;
  /** Bytes that were sent, of all. */
  onSent?: (sent: number, of: number) => void;
}

/** A file on disk to be uploaded under a name that this program chooses. */
export interface Upload {
  path: string;
  name: string;
  mime: string;
}

/** Uploaded files of a provider: each is private to the key's account and expires. All throw as model calls do. */
export interface RemoteFileApi {
  /** Milliseconds after which the provider deletes a file. */
  life_ms: number;
  /** Name of a new file from an id of letters and digits. */
  nameOf(id: string): string;
  upload(target: Target, file: Upload, sending: Sending): Promise<RemoteFileState>;
  /** Null if there is no such file. */
  get(target: Target, name: string, sending: Sending): Promise<RemoteFileState | null>;
  /** Waits until the file can be used in a request. */
  whenReady(target: Target, file: RemoteFileState, sending: Sending): Promise<RemoteFileState>;
  delete(target: Target, name: string): Promise<void>;
}
