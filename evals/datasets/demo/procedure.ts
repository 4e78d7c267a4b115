import { seeded, shuffle } from "../../../src/core/random.ts";
import type { ComposeSpec, Picture, Shape } from "../../../src/media/compose.ts";

/** A step of a procedure as an animation. `t` runs from 0 to 1. */
export interface Step {
  name: string;
  draw: (t: number) => Picture;
}

const scene = (...shapes: Shape[]): Picture => ({
  background: "#dfe8ee",
  shapes: [{ draw: "box", x: 0, y: 0.78, width: 1, height: 0.22, fill: "#a9845b" }, ...shapes],
});
const lemon = (x: number, y: number, radius = 0.08): Shape => ({
  draw: "circle",
  x,
  y,
  radius,
  fill: "#f2cf1d",
});
const pitcher = (level: number): Shape[] => [
  { draw: "box", x: 0.5, y: 0.38, width: 0.2, height: 0.4, fill: "#f4f9fb", stroke: "#4a6572" },
  {
    draw: "box",
    x: 0.505,
    y: 0.775 - 0.38 * level,
    width: 0.19,
    height: 0.38 * level,
    fill: "#f3e27a",
  },
];

/** Making lemonade, in the order in which it has to be done. */
export const lemonade: { goal: string; steps: readonly Step[] } = {
  goal: "Make lemonade",
  steps: [
    {
      name: "Cut the lemons in half",
      draw: (t) =>
        scene(lemon(0.3 - 0.03 * t, 0.7), lemon(0.36 + 0.05 * t, 0.7), {
          draw: "box",
          x: 0.325,
          y: 0.25 + 0.35 * Math.abs(Math.sin(6 * t)),
          width: 0.012,
          height: 0.22,
          fill: "#5c6770",
        }),
    },
    {
      name: "Squeeze the lemons into the pitcher",
      draw: (t) =>
        scene(...pitcher(0.15 * t), lemon(0.6, 0.2, 0.07 + 0.015 * Math.sin(20 * t)), {
          draw: "box",
          x: 0.597,
          y: 0.28,
          width: 0.006,
          height: 0.35,
          fill: "#f3e27a",
        }),
    },
    {
      name: "Pour water into the pitcher",
      draw: (t) =>
        scene(
          ...pitcher(0.15 + 0.6 * t),
          { draw: "box", x: 0.3, y: 0.12, width: 0.16, height: 0.16, fill: "#7fb7dd" },
          { draw: "line", x1: 0.46, y1: 0.2, x2: 0.6, y2: 0.45, stroke: "#4d9ad0" },
        ),
    },
    {
      name: "Stir the lemonade with a spoon",
      draw: (t) =>
        scene(...pitcher(0.75), {
          draw: "line",
          x1: 0.6 + 0.06 * Math.sin(18 * t),
          y1: 0.2,
          x2: 0.6 - 0.06 * Math.sin(18 * t),
          y2: 0.7,
          stroke: "#333333",
        }),
    },
    {
      name: "Pour the lemonade into a glass",
      draw: (t) =>
        scene(
          ...pitcher(0.75 - 0.3 * t),
          {
            draw: "box",
            x: 0.8,
            y: 0.58,
            width: 0.1,
            height: 0.2,
            fill: "#f4f9fb",
            stroke: "#4a6572",
          },
          {
            draw: "box",
            x: 0.803,
            y: 0.775 - 0.18 * t,
            width: 0.094,
            height: 0.18 * t,
            fill: "#f3e27a",
          },
          { draw: "line", x1: 0.7, y1: 0.42, x2: 0.85, y2: 0.6, stroke: "#e8cf3f" },
        ),
    },
  ],
};

/** Seconds of a title card, and of a clip. */
const CARD_S = 1;
const CLIP_S = 4;

/**
 * The steps as numbered clips in an order drawn from the seed, never the right one, a title card before each.
 * `order`: the clips' numbers, from 1, in the order in which they have to be done.
 */
export function procedure(seed: number): { spec: ComposeSpec; order: number[]; shown: Step[] } {
  const { steps } = lemonade;
  const random = seeded("procedure", seed);
  let shown = shuffle(steps, random);
  while (shown.every((step, index) => step === steps[index])) shown = shuffle(steps, random);
  return {
    shown,
    order: steps.map((step) => shown.indexOf(step) + 1),
    spec: {
      width: 640,
      height: 360,
      fps: 10,
      silent: true,
      segments: shown.flatMap((step, index) => [
        { kind: "card", text: `Clip ${index + 1}`, duration_s: CARD_S } as const,
        {
          kind: "picture",
          duration_s: CLIP_S,
          picture: (t_s: number) => step.draw(t_s / CLIP_S),
        } as const,
      ]),
    },
  };
}
