import { seeded, shuffle } from "../../../src/core/random.ts";
import type { ComposeSpec, Picture, Segment } from "../../../src/media/compose.ts";
import { box, moved, whole } from "./drawing.ts";
import { FPS, type Span } from "./film.ts";
import { type Part, PLANS } from "./procedure-parts.ts";

export interface ShuffledProcedure {
  goal: string;
  /** Positions of the shown clips, from 0, in the order in which they have to be done. */
  groundTruth: number[];
  /** What each clip shows, in the order of the clips. */
  steps: string[];
  /** Span of each clip without its card. */
  clips_s: Span[];
  spec: ComposeSpec;
}

/** Numbers of clips, in shares like VCRBench's (126 / 105 / 80 / 30 / 24 videos with 3 to 7). */
const CLIPS = [3, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7];
const CARD_S = 1;
/** A part needs this share of its clip to arrive; then it stays. */
const ARRIVED = 0.7;

/** 12 procedures, one of each plan. Earlier parts stay in the picture, so that the order can be seen. */
export function procedures(seed: number): ShuffledProcedure[] {
  const counts = shuffle(CLIPS, seeded("demo procedures", seed));
  return PLANS.map((plan, place) => {
    const random = seeded("demo procedure", seed, place);
    const parts = plan.parts(random).slice(0, counts[place]);
    return { goal: plan.goal, ...cut(parts, random) };
  });
}

function cut(parts: readonly Part[], random: () => number): Omit<ShuffledProcedure, "goal"> {
  const inOrder = parts.map((_, step) => step);
  let shown = shuffle(inOrder, random);
  // As in VCRBench, no video is in its right order.
  while (shown.every((step, clip) => step === clip)) shown = shuffle(inOrder, random);
  const segments: Segment[] = [];
  const clips_s: Span[] = [];
  let at = 0;
  for (const [clip, step] of shown.entries()) {
    const seconds = whole(random, 4, 6);
    const from = whole(random, 0, 1) === 0 ? -1 : 1;
    const picture = (t_s: number) => scene(parts, step, t_s / seconds, from);
    segments.push({ kind: "card", text: `Clip ${clip + 1}`, duration_s: CARD_S });
    segments.push({ kind: "picture", duration_s: seconds, picture });
    clips_s.push([at + CARD_S, at + CARD_S + seconds]);
    at += CARD_S + seconds;
  }
  return {
    groundTruth: inOrder.map((step) => shown.indexOf(step)),
    steps: shown.map((step) => parts[step]?.name ?? ""),
    clips_s,
    spec: { width: 426, height: 240, fps: FPS, silent: true, segments },
  };
}

/** The parts before `step` in place, and its own part moving in from one side. */
function scene(parts: readonly Part[], step: number, t: number, from: number): Picture {
  const away = Math.max(0, 1 - t / ARRIVED);
  return {
    background: "#dfe8ee",
    shapes: [
      box(0, 0.78, 1, 0.22, "#a9845b"),
      ...parts.slice(0, step).flatMap((part) => part.shapes),
      ...moved(parts[step]?.shapes ?? [], from * 0.7 * away, -0.5 * away),
    ],
  };
}
