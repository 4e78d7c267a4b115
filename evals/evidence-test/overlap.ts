/** [start, end] in seconds. */
export type Span = readonly [number, number];

export interface Overlap {
  /** Share of the right spans that a citation touches. */
  recall: number;
  /** Share of the citations that touch a right span; null without citations. */
  precision: number | null;
  /** Seconds that both cover over seconds that either covers. */
  iou: number;
}

/** A frame is a moment, and right spans may be moments too: what is shorter is widened to so many seconds around its middle. */
export const SHORTEST_S = 2;

/** How citations lie to the spans where the evidence is known to be; null where no span is known. */
export function overlapOf(cited: readonly Span[], right: readonly Span[]): Overlap | null {
  if (right.length === 0) return null;
  const citations = cited.map(widened);
  const wanted = right.map(widened);
  const touches = (one: Span, others: readonly Span[]) =>
    others.some(([from, to]) => one[0] < to && from < one[1]);
  const found = wanted.filter((span) => touches(span, citations)).length;
  const apt = citations.filter((span) => touches(span, wanted)).length;
  const both = covered(wanted) + covered(citations) - covered([...wanted, ...citations]);
  return {
    recall: found / wanted.length,
    precision: citations.length === 0 ? null : apt / citations.length,
    // Rounding may put equal unions a little beyond 1.
    iou: Math.min(1, Math.max(0, both) / covered([...wanted, ...citations])),
  };
}

function widened([a, b]: Span): Span {
  const from = Math.min(a, b);
  const to = Math.max(a, b);
  const lacking = Math.max(0, SHORTEST_S - (to - from)) / 2;
  return [from - lacking, to + lacking];
}

/** Seconds that the spans cover together. */
function covered(spans: readonly Span[]): number {
  let seconds = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    seconds += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return seconds;
}
