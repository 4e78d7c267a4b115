/** Every way in which a question can be answered. */
export const STRATEGIES = [
  "direct",
  "blind",
  "key-frame",
  "rrd",
  "agent",
  "extractive",
  "random",
] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Strategies that send frames; that call a model; that recognise before they reason (`agent` where it hands over to `rrd`). */
export const SEES: readonly Strategy[] = ["direct", "key-frame", "rrd", "agent"];
export const CALLS: readonly Strategy[] = ["direct", "blind", "key-frame", "rrd", "agent"];
export const RRD: readonly Strategy[] = ["rrd", "agent"];
export const AGENT: readonly Strategy[] = ["agent"];
/** Strategies that can send the video itself, or a clip of it. */
export const NATIVE: readonly Strategy[] = ["direct", "rrd", "agent"];

/** What a leaf of the schema is called on a command line, and the strategies that read it (absent: all of them). */
export interface LeafMeta {
  flag: string;
  strategies?: readonly Strategy[];
  /** Came after the first version: at its default it is no part of `settingsHash`, which names runs of before. */
  added?: true;
  /** Set by whoever runs the program, never by a request to the service. */
  operator?: true;
  /** A limit: where the operator sets one, a request can only lower it. */
  ceiling?: true;
  /** What was given may hold a secret and is never shown. */
  secret?: true;
  /** The flag may be given several times; the values are joined by commas. */
  repeats?: true;
  [more: string]: unknown;
}

export const leaf = (meta: LeafMeta) => meta;
