import type { Picture, Shape } from "../../../src/media/compose.ts";
import { ball, box, draw, label, whole } from "./drawing.ts";
import type { Scene } from "./film.ts";
import { thing } from "./things.ts";

/* Elements of stories. */

export const NAMES: readonly string[] = [
  ...["Nora", "Omar", "Lena", "Ivan", "Maya", "Pedro"],
  ...["Sana", "Tomas", "Yuki", "Zoe", "Emil", "Ruth"],
];

const SKIES = ["#cfe4f2", "#f3dfc4", "#d9d4ec", "#d4ead0", "#efd3d3"];

export function landscape(shapes: readonly Shape[], sky = 0): Picture {
  return {
    background: SKIES[sky % SKIES.length] ?? "#cfe4f2",
    shapes: [box(0, 0.76, 1, 0.24, "#8fb06f"), ...shapes],
  };
}

/** One thing, large. */
export function closeUp(name: string, sky = 0): Picture {
  return landscape(thing(name, 0.5, 0.5, 0.5), sky);
}

/** Text in a picture. */
export function sign(...lines: string[]): Picture {
  return {
    background: "#2f3b46",
    shapes: [
      box(0.08, 0.18, 0.84, 0.64, "#fbf8ef", "#8d6e4b"),
      ...lines.map((text, place) =>
        label(text, 0.5, 0.5 + 0.16 * (place - (lines.length - 1) / 2), 0.085),
      ),
    ],
  };
}

const IDLE = [
  "The wind goes over the grass.",
  "Some birds can be heard far away.",
  "An hour passes and little happens.",
  "The light changes slowly.",
  "Nobody is on the road at noon.",
  "It is getting warmer now.",
  "A cloud hides the hills.",
  "People are sitting in the shade.",
];

/** Scenes in which nothing happens that a question asks about: a cloud passes over hills. */
export function idle(count: number, random: () => number): Scene[] {
  return draw(IDLE, count, random).map((said): Scene => {
    const sky = whole(random, 0, SKIES.length - 1);
    const height = 0.2 + random() * 0.2;
    const hills = [ball(random(), 0.85, 0.22, "#7a9a5c"), ball(random(), 0.88, 0.25, "#86a867")];
    return {
      seconds: 4,
      said,
      picture: (t_s) =>
        landscape(
          [
            ...hills,
            ball(0.1 + 0.15 * t_s, height, 0.07, "#fafafa"),
            ball(0.15 + 0.15 * t_s, height + 0.02, 0.09, "#fafafa"),
          ],
          sky,
        ),
    };
  });
}

/** Places side by side for `count` things, and the size that fits. */
export function row(count: number): { x: (place: number) => number; size: number } {
  return { x: (place) => (place + 0.5) / count, size: Math.min(0.3, 1.3 / count) };
}
