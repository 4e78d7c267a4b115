import { cutText } from "./cut-text.ts";
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
  return typeof speaker === "string" ? `${cutText(speaker, LONGEST_NAME)}: ${text}` : text;
}

/** Names of evidence (`E1`) by id. */
export type EvidenceNames = Readonly<Record<string, string>>;

/**
 * Sorts items into prompt order and removes duplicates, so that equal evidence makes an equal set in any order of
 * arrival. `names`: those that are given already; default: names in the order of time.
 */
export function makeEvidenceSet(
  items: readonly Evidence[],
  base: string | null = null,
  names: EvidenceNames | null = null,
): EvidenceSet {
  const unique = [...new Map(items.map((item) => [item.id, item])).values()].sort(byTimeKindId);
  const ids = unique.map((item) => item.id);
  if (names === null) return { id: hashOf({ base, items: ids }), base, items: unique };
  const all = extendNames(names, unique);
  return { id: hashOf({ base, items: ids, names: all }), base, items: unique, names: all };
}

export function byTimeKindId(a: Evidence, b: Evidence): number {
  return (
    a.start_s - b.start_s || a.end_s - b.end_s || compare(a.kind, b.kind) || compare(a.id, b.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * `E1`, `E2` ... by time, kind and id: the names of evidence in prompts and replies. `names`: those that are given
 * already; further items get the next free numbers.
 */
export function numberEvidence(
  items: readonly Evidence[],
  names: EvidenceNames | null = null,
): Map<string, Evidence> {
  const sorted = [...items].sort(byTimeKindId);
  if (names === null) return new Map(sorted.map((item, index) => [`E${index + 1}`, item]));
  const all = extendNames(names, sorted);
  return new Map(sorted.map((item) => [all[item.id] as string, item]));
}

/** The name of each item of a set, by its id. */
export function evidenceNames({
  items,
  names,
}: Pick<EvidenceSet, "items" | "names">): Map<string, string> {
  if (names === undefined)
    return new Map([...numberEvidence(items)].map(([name, { id }]) => [id, name]));
  const all = extendNames(names, [...items].sort(byTimeKindId));
  return new Map(items.map(({ id }) => [id, all[id] as string]));
}

/**
 * Adds a name for each item that has none, in the order of the items: a correction gets the name of what it corrects,
 * any other item the number after the highest one.
 */
export function extendNames(
  names: EvidenceNames,
  items: readonly Evidence[],
): Record<string, string> {
  const all: Record<string, string> = { ...names };
  const taken = new Set(items.flatMap(({ id }) => all[id] ?? []));
  let last = 0;
  for (const name of Object.values(all)) last = Math.max(last, Number(name.slice(1)));
  for (const { id, replaces } of items) {
    if (all[id] !== undefined) continue;
    const before = replaces === undefined ? undefined : all[replaces];
    const name = before === undefined || taken.has(before) ? `E${++last}` : before;
    taken.add(name);
    all[id] = name;
  }
  return all;
}
