import { type ResolvedSettings, type Settings, segmentationOf } from "../../src/core/settings.ts";
import { plannedCalls } from "../../tools/ranking/methods.ts";
import type { PlannedQuestion, ShownAmount, StagePlan } from "../planned-stages.ts";
import { MOST_PICTURES, mostParts } from "../stages/picture-limits.ts";

/** The calls that recognition and reasoning make, at most. */
export function plan(
  settings: ResolvedSettings,
  question: PlannedQuestion,
  shown: ShownAmount,
): StagePlan[] {
  return question.task === "order"
    ? orderingStages(settings, question.clips, shown)
    : choiceStages(settings, question.parts, shown);
}

function orderingStages(
  settings: ResolvedSettings,
  clips: number,
  { whole, allClips, longestClip }: ShownAmount,
): StagePlan[] {
  const { recognition, reasoning } = settings;
  const seesWhole = recognition.input === "whole-video";
  const stages: StagePlan[] = [];
  const counts = segmentationOf(settings)?.by !== "cards";
  if (seesWhole && counts && recognition.mode === "sequential")
    stages.push({
      stage: "segment",
      what: "how many clips there are",
      calls: 1,
      exact: true,
      frames: whole,
    });
  stages.push(
    recognition.mode === "sequential"
      ? {
          stage: "caption",
          what: "a sentence on each clip",
          calls: clips,
          exact: true,
          frames: seesWhole ? clips * whole : allClips,
        }
      : {
          stage: "caption",
          what: "a sentence on each clip, in one call",
          calls: 1,
          exact: true,
          frames: seesWhole ? whole : allClips,
        },
  );
  const { method, votes } = reasoning;
  const { most, exact } = plannedCalls(method, clips, votes);
  const lists = method === "all-at-once" || method === "hybrid" ? 1 : method === "vote" ? most : 0;
  const along = (own: number) => (reasoning.input === "text" ? 0 : seesWhole ? whole : own);
  stages.push({
    stage: "order",
    what: WHAT_IS_ORDERED[method],
    calls: most,
    exact,
    frames: lists * along(allClips) + (most - lists) * along(2 * longestClip),
  });
  return stages;
}

const PAIRS = "which of two sentences comes first";
const WHAT_IS_ORDERED: Record<Settings["reasoning"]["method"], string> = {
  "all-at-once": "the order of all sentences",
  "merge-sort": PAIRS,
  tournament: PAIRS,
  "tournament-adaptive": PAIRS,
  vote: "the order of all sentences, shuffled again for each call",
  hybrid: "the order of all sentences, then which of two neighbours comes first",
};

function choiceStages(
  settings: ResolvedSettings,
  known: number | undefined,
  { whole, allClips }: ShownAmount,
): StagePlan[] {
  const { recognition, reasoning } = settings;
  const parts = known ?? mostParts(recognition.frames);
  const all = known === undefined ? whole : allClips;
  const oneByOne = recognition.mode === "sequential";
  const calls = oneByOne ? parts : 1;
  const each = recognition.input === "whole-video" || !oneByOne ? all : Math.ceil(all / parts);
  return [
    {
      stage: "caption",
      what: oneByOne ? "a description of each part" : "a description of each part, in one call",
      calls,
      exact: !oneByOne || known !== undefined,
      frames: calls * each,
    },
    ...(recognition.ocr === "model" ? [readings] : []),
    ...(reasoning.mathematics === "off" ? [] : [calculation]),
    {
      stage: "answer",
      what: "the answer from the descriptions",
      calls: 1,
      exact: true,
      frames: reasoning.input === "text" ? 0 : whole,
    },
  ];
}

const calculation: StagePlan = {
  stage: "mathematics",
  what: "a plan of the calculation if the question is mathematical, and once more if it cannot be read",
  calls: 2,
  exact: false,
  frames: 0,
};

const readings: StagePlan = {
  stage: "text",
  what: "the text of each picture that has any",
  calls: MOST_PICTURES,
  exact: false,
  frames: MOST_PICTURES,
};
