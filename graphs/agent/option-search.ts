import type { Evidence } from "../../src/core/shapes.ts";
import type { QuestionQuery } from "../../tools/search/question-queries.ts";
import { lineOf } from "../stages/named-evidence.ts";
import { findEvidence, type SearchSession } from "../toolbox/search-session.ts";

/*
 * Evidence whose words match the question or one of its options, from moments that are far apart in the video.
 */

/** Items shown for each query, of how many matches; their distance, as a share of the video and at least in seconds. */
const SHOWN_EACH = 3;
const MATCHING = 12;
const APART = 0.02;
const LEAST_APART_S = 4;

/** What was found for the question or for one option. */
export interface OptionHits {
  heading: string;
  items: Evidence[];
}

/** The best items of each search that are far apart; `without` are ids to leave out. */
export async function searchEach(
  queries: readonly QuestionQuery[],
  session: SearchSession,
  without: ReadonlySet<string> = new Set(),
): Promise<OptionHits[]> {
  const searched: OptionHits[] = [];
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

export function foundLines(
  searched: readonly OptionHits[],
  { shownEvidence }: SearchSession,
): string {
  return searched
    .flatMap(({ heading, items }) => [
      items.length === 0 ? `${heading}: nothing` : `${heading}:`,
      ...items.map((item) => lineOf(shownEvidence.name(item), item)),
    ])
    .join("\n");
}

/** The first items that are far apart, so that they do not all come from one passage. */
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
    // An item that lasts almost throughout is near everything.
    const long = item.end_s - item.start_s > 4 * apart_s;
    if (long || !chosen.some(near)) chosen.push(item);
  }
  return chosen;
}
