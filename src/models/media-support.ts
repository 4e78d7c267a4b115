import type { Medium } from "./chat.ts";

/** What a server takes of video and sound. Sizes in bytes. */
export interface MediaRules {
  /** Whether it takes video at all. */
  video: boolean;
  /** Largest request that may carry media inside; null: any. */
  request: number | null;
  /** Largest file. */
  largest: Record<Medium["type"], number>;
  /** Whether larger files may be uploaded before the request. */
  uploads: boolean;
  /** Types of video it takes; null: not known. */
  types: readonly string[] | null;
}

/** A server that takes pictures only. */
export const NO_MEDIA: MediaRules = {
  video: false,
  request: null,
  largest: { video: 0, audio: 0 },
  uploads: false,
  types: null,
};

/** Base64 of so many bytes. */
export function encoded(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
