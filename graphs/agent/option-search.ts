import type { Evidence } from "../../src/core/shapes.ts";
import type { QuestionQuery } from "../../tools/search/question-queries.ts";
import { lineOf } from "../stages/named-evidence.ts";
import { findEvidence, type SearchSession } from "./search-session.ts";

/*
 * What the words of a video say for the question and for each of its options, from moments that lie apart.
 */

/** Items shown for the question and for each option, out of so many that match; apart by this share of the video. */
const SHOWN_EACH = 3;
const MATCHING = 12;
const APART = 0.02;
const LEAST_APART_S = 4;

/** What was found for the question, or for one option. */
export interface Searched {
  heading: string;
  items: Evidence[];
}

/** The best items of each search that lie apart in the video; `without` leaves out what was shown before. */
export async function searchEach(
  queries: readonly QuestionQuery[],
  session: SearchSession,
  without: ReadonlySet<string> = new Set(),
): Promise<Searched[]> {
  const searched: Searched[] = [];
  for (const { option, text } of queries) {
    const found = await findEvidence(text, { limit: MATCHING }, session);
    const items = farApart(
      found.filter(({ id }) => !without.has(id)),
      session,
    );
    const heading = option === null ? "For the question" : `For option ${option}`;
    searched.push({ heading, items });
  }
  return searched;
}

export function foundLines(searched: readonly Searched[], { showing }: SearchSession): string {
  return searched
    .flatMap(({ heading, items }) => [
      items.length === 0 ? `${heading}: nothing` : `${heading}:`,
      ...items.map((item) => lineOf(showing.name(item), item)),
    ])
    .join("\n");
}

/** The best items that lie apart from each other, so that one passage does not speak for the whole video. */
export function farApart(
  items: readonly Evidence[],
  { context }: SearchSession,
  most: number = SHOWN_EACH,
): Evidence[] {
  const apart_s = Math.max(LEAST_APART_S, APART * context.video.probe.duration_s);
  const chosen: Evidence[] = [];
  for (const item of items) {
    if (chosen.length === most) break;
    const near = ({ start_s, end_s }: Evidence) =>
      item.start_s < end_s + apart_s && start_s < item.end_s + apart_s;
    // What stands throughout is near everything.
    const long = item.end_s - item.start_s > 4 * apart_s;
    if (long || !chosen.some(near)) chosen.push(item);
  }
  return chosen;
}
