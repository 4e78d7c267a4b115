import type { UnplacedClip } from "../../core/ordering.ts";
import type { Answer, Evidence } from "../../core/shapes.ts";
import type { ClipView } from "./api.ts";
import type { QuestionRecord } from "./question-record.ts";

/** The known clips of a question with those that captions describe, by number. */
export function withClips(known: readonly ClipView[], items: readonly Evidence[]): ClipView[] {
  const clips = new Map(known.map((clip) => [clip.number, clip]));
  for (const { kind, clip: number, start_s, end_s } of items)
    if (kind === "caption" && number !== undefined && !clips.has(number))
      clips.set(number, { number, start_s, end_s });
  return [...clips.values()].sort((a, b) => a.number - b.number);
}

/** Clips that an order leaves out, with the reason. `items`: the evidence that was reasoned over. */
export function unplacedClips(
  { answer }: Answer,
  clips: readonly ClipView[],
  items: readonly Evidence[],
): UnplacedClip[] {
  if (!Array.isArray(answer)) return [];
  const described = describedNumbers(items);
  return clips
    .filter(({ number }) => !answer.includes(number))
    .map(({ number }) => ({ clip: number, why: described.has(number) ? "left-out" : "rejected" }));
}

/** Clips that were in the video or its answer without a description. `items`: the evidence of the answer. */
export function undescribedClips(
  { answer, undescribed = [] }: Pick<QuestionRecord, "answer" | "undescribed">,
  items: readonly Evidence[],
): number[] {
  const described = describedNumbers(items);
  const named = answer?.diagnostics?.not_described;
  const numbers = [
    ...undescribed,
    ...(Array.isArray(answer?.answer) ? answer.answer : []),
    ...(Array.isArray(named) ? named.filter((number) => Number.isSafeInteger(number)) : []),
  ];
  return [...new Set(numbers)].filter((number) => !described.has(number)).sort((a, b) => a - b);
}

function describedNumbers(items: readonly Evidence[]): Set<number> {
  return new Set(
    items.flatMap(({ kind, clip }) => (kind === "caption" && clip !== undefined ? clip : [])),
  );
}

/** Stores the clips of an order question, and what the order leaves out. */
export function noteClips(
  record: QuestionRecord,
  answer: Answer,
  items: readonly Evidence[],
): void {
  record.clips = withClips(record.clips ?? [], items);
  const unplaced = unplacedClips(answer, record.clips, items);
  if (unplaced.length > 0) answer.diagnostics = { ...answer.diagnostics, unplaced };
}
