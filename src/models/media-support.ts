import type { Medium } from "./chat.ts";

/** The video and sound that a server accepts. Sizes in bytes. */
export interface MediaRules {
  /** Whether it accepts video. */
  video: boolean;
  /** Largest request that may carry media inside; null: any. */
  request: number | null;
  /** Largest file. */
  largest: Record<Medium["type"], number>;
  /** Whether larger files may be uploaded before the request. */
  uploads: boolean;
  /** Types of video that it accepts; null: unknown. */
  types: readonly string[] | null;
}

/** A server that accepts only pictures. */
export const NO_MEDIA: MediaRules = {
  video: false,
  request: null,
  largest: { video: 0, audio: 0 },
  uploads: false,
  types: null,
};

/** Length of the base64 of this many bytes. */
export function encoded(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
