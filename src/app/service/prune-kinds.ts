/** What is removed: whole videos, only their questions, or only what can be made again (scans, indexes, stored replies). */
export const PRUNED = ["videos", "questions", "derived"] as const;
export type Pruned = (typeof PRUNED)[number];

/** Reasons for which an old thing stays. */
export const KEPT = ["reviewed", "tagged"] as const;
export type KeptReason = (typeof KEPT)[number];
