import { SPOKEN_KINDS } from "../src/core/evidence.ts";
import { resolveSettings, type Settings } from "../src/core/settings.ts";
import type { EvidenceKind, Task } from "../src/core/shapes.ts";
import { strategies } from "./define-strategy.ts";

export const EVIDENCE_STAGES = ["captions", "text", "speech", "search"] as const;
/**
 * A stage whose results a strategy reasons over: descriptions, text on screen, subtitles or speech, or the search that
 * chooses which moments are shown.
 */
export type EvidenceStage = (typeof EVIDENCE_STAGES)[number];

/** The stages that create evidence, with the kinds that they create. */
export const KINDS_OF_STAGE: Readonly<
  Record<Exclude<EvidenceStage, "search">, readonly EvidenceKind[]>
> = {
  captions: ["caption"],
  text: ["text", "equation"],
  speech: SPOKEN_KINDS,
};

/**
 * The stages that a strategy reads for a question of this task; none if it cannot reason over given evidence. Shuffled
 * clips are put in order by their descriptions only.
 */
export function stagesRead(settings: Settings, task: Task): EvidenceStage[] {
  const { overEvidence, approach, tasks } = strategies.get(settings.strategy);
  if (overEvidence === undefined || !tasks.includes(task)) return [];
  if (task === "order") return ["captions"];
  const { ocr, subtitles } = resolveSettings(settings, task).recognition;
  const read: Record<EvidenceStage, boolean> = {
    captions: approach === "decomposed",
    text: ocr !== "off",
    speech: subtitles !== "off",
    search: true,
  };
  return EVIDENCE_STAGES.filter((stage) => read[stage]);
}

/**
 * Whether the strategy's own answer is one over the evidence that it recognised, as `overEvidence` gives it. It is not
 * where clips are ordered by the recogniser's replies, which are no evidence.
 */
export function answersFromEvidence({ strategy, recognition }: Settings): boolean {
  return strategies.get(strategy).approach === "decomposed" && recognition.replies !== "verbatim";
}
