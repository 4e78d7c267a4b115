import { hashOf } from "./hash.ts";
import type { Evidence, EvidenceKind, EvidenceSet } from "./shapes.ts";

/** Adds the id: the hash of all other members. */
export function makeEvidence(rest: Omit<Evidence, "id">): Evidence {
  return { id: hashOf(rest), ...rest };
}

/** Kinds of evidence that hold what is said in a video. */
export const SPOKEN_KINDS = ["subtitle", "speech"] as const satisfies readonly EvidenceKind[];

/** Whether an item holds words that are said in the video: a subtitle, or transcribed speech. */
export function isSpoken({ kind }: Pick<Evidence, "kind">): boolean {
  return kind === "subtitle" || kind === "speech";
}

/** Most characters of a speaker's name. */
const LONGEST_NAME = 40;

/** The words of an item with the speaker before them, if the engine that transcribed them tells speakers apart. */
export function withSpeaker({ text, data }: Pick<Evidence, "text" | "data">): string {
  const speaker = data?.speaker;
  return typeof speaker === "string" ? `${speaker.slice(0, LONGEST_NAME)}: ${text}` : text;
}

/** Sorts items into prompt order and removes duplicates, so that equal evidence makes an equal set in any order of arrival. */
export function makeEvidenceSet(
  items: readonly Evidence[],
  base: string | null = null,
): EvidenceSet {
  const unique = [...new Map(items.map((item) => [item.id, item])).values()].sort(byTimeKindId);
  return { id: hashOf({ base, items: unique.map((item) => item.id) }), base, items: unique };
}

export function byTimeKindId(a: Evidence, b: Evidence): number {
  return (
    a.start_s - b.start_s || a.end_s - b.end_s || compare(a.kind, b.kind) || compare(a.id, b.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `E1`, `E2` ... by time, kind and id: the names of evidence in prompts and replies. */
export function numberEvidence(items: readonly Evidence[]): Map<string, Evidence> {
  return new Map([...items].sort(byTimeKindId).map((item, index) => [`E${index + 1}`, item]));
}
