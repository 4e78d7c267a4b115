import type { Prompts } from "../../../prompts/load-prompts.ts";
import type { Video } from "../../../tools/video/video.ts";
import type { Store } from "../../core/contracts.ts";
import type { Answer, EvidenceSet, Question } from "../../core/shapes.ts";
import type { McpCall } from "./mcp-call.ts";

/** A video that a client may name. */
export interface ListedVideo {
  /** How tools name it: a path, or the id of an upload. */
  video: string;
  name: string;
  /** Null if the file was not opened yet. */
  hash: string | null;
  /** Bytes. */
  size: number;
}

/** A question as a client asks it. */
export interface AskRequest {
  video: string;
  question: string;
  options?: string[];
  /** The procedure that shuffled clips show. */
  goal?: string;
  settings: Record<string, unknown>;
}

/** A question and what is known about its answer. */
export interface AskedQuestion {
  id: string;
  /** As the client named it. */
  video: string;
  state: "queued" | "running" | "answered" | "failed" | "cancelled";
  question: Question | null;
  answer: Answer | null;
  failure: { kind: string; message: string } | null;
  /** What happens at the moment. */
  doing: string | null;
}

/** The questions that a client asked. */
export interface McpQuestions {
  /** Starts a question and returns its id. Throws `Failure` for what the caller has to change. */
  ask(request: AskRequest): Promise<string>;
  /** The question once it has ended, or after `ms`. Throws `Failure` `not-found`, `cancelled`. */
  wait(id: string, ms: number, call: McpCall): Promise<AskedQuestion>;
  /** Stops a question that is queued or running; does nothing to another. */
  cancel(id: string): Promise<void>;
  /** Throws `Failure` `not-found` if the question has no answer. */
  evidence(id: string): Promise<EvidenceSet>;
  /** The evidence page as HTML. Throws as `evidence`. */
  page(id: string): Promise<string>;
  /** Ids and texts of questions with an answer, newest first. */
  answered(): Promise<{ id: string; text: string }[]>;
}

/** Folders of evaluation runs that a client may name. */
export interface RunFolders {
  /** Absolute paths of folders that are searched for runs. Throws `Failure` if there are none. */
  roots(): Promise<string[]>;
  /** The absolute path of a run that a client names. Throws `Failure` `wrong-usage`. */
  resolve(given: string): Promise<string>;
  /** How a client names a run. */
  nameOf(path: string): Promise<string>;
}

/** Where MCP clients reach videos, questions and runs: this machine, or the service on behalf of one key. */
export interface McpHost {
  /** The owner of data in the store. */
  owner: string;
  /** How a client names a video, for the description of parameters. */
  videoHint: string;
  prompts(): Promise<Prompts>;
  store(): Promise<Store>;
  /** The operator's settings, and the models that a client may name in addition to those; null: any. */
  own: { settings: Record<string, unknown>; models: readonly string[] | null };
  data: string;
  /** Opens a video. Throws `Failure` for one that the client may not read. */
  openVideo(given: string, call: McpCall): Promise<Video>;
  /** The videos that the client may name, at most some hundred. */
  listVideos(): Promise<ListedVideo[]>;
  /** Whether the client may read a video of the store. */
  mayRead(video: string): Promise<boolean>;
  /** Throws if the client may store no more data. */
  checkStorage(): Promise<void>;
  questions: McpQuestions;
  /** Milliseconds after which a call returns `running` in place of its result. */
  result_ms: number;
  /** Null: this client may read no runs. */
  runs: RunFolders | null;
  /** The message for a client about an error. An internal error is logged, and its message is hidden. */
  explain(error: unknown): string;
}
