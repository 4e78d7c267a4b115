import type { Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import { type TimeAnchor, timeExpressions } from "../../tools/search/time-expressions.ts";
import { findEvidence, type SearchSession } from "../toolbox/search-session.ts";

/** Seconds before and after an event that count as its surroundings. */
const AROUND_S = 30;

/** A part of the video, and the words of the question that name it. */
interface Span {
  words: string;
  start_s: number;
  end_s: number;
}

/**
 * The parts of the video that a question names by time, or `none`: stated times, and events ("before she leaves") whose
 * words are found in the evidence.
 */
export async function timesOf(question: string, session: SearchSession): Promise<string> {
  const { duration_s } = session.context.video.probe;
  const { ranges, anchors, beyond } = timeExpressions(question, duration_s);
  const spans: Span[] = [...ranges];
  for (const anchor of anchors) {
    const [hit] = await findEvidence(anchor.phrase, { limit: 1 }, session);
    if (hit !== undefined) spans.push(around(anchor, hit, duration_s));
  }
  const lines = [
    ...spans.map(
      ({ words, start_s, end_s }) =>
        `"${words}" is ${secondsAndClock(start_s)} to ${secondsAndClock(end_s)}`,
    ),
    ...beyond.map(({ words }) => `"${words}" is after its end`),
  ];
  return lines.length === 0 ? "none" : lines.join("; ");
}

function around({ words, direction }: TimeAnchor, hit: Evidence, duration_s: number): Span {
  const start_s = direction === "after" ? hit.start_s : hit.start_s - AROUND_S;
  const end_s = direction === "before" ? hit.end_s : hit.end_s + AROUND_S;
  return { words, start_s: Math.max(0, start_s), end_s: Math.min(duration_s, end_s) };
}
