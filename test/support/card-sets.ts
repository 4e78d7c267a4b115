import { seeded, shuffle } from "../../src/core/random.ts";
import type {
  CardSegment,
  ComposeSpec,
  Composition,
  Font,
  Picture,
  Segment,
  Shape,
} from "../../src/media/compose.ts";

export interface TrueCard {
  number: number;
  start_s: number;
  end_s: number;
}

/** A scene of moving shapes; `light` is its brightness, 0 to 1. */
export function scene(seed: string | number, light: number): (t_s: number) => Picture {
  const random = seeded("scene", seed);
  const colour = (level: number) =>
    `#${[0, 1, 2]
      .map(() => Math.round(255 * level * (0.5 + random() / 2)))
      .map((value) => value.toString(16).padStart(2, "0"))
      .join("")}`;
  const background = colour(light * 0.6);
  const things = Array.from({ length: 6 }, () => ({
    x: random(),
    y: random(),
    dx: random() - 0.5,
    dy: random() - 0.5,
    radius: 0.05 + random() * 0.2,
    fill: colour(light),
  }));
  return (t_s) => ({
    background,
    shapes: things.map(({ x, y, dx, dy, radius, fill }): Shape => {
      const at = (from: number, speed: number) => Math.abs(((from + speed * t_s + 8) % 2) - 1);
      return { draw: "circle", x: at(x, dx), y: at(y, dy), radius, fill };
    }),
  });
}

/** A scene with white words over it, such as end credits or a caption. */
export function captioned(
  picture: (t_s: number) => Picture,
  text: string,
  y = 0.5,
): (t_s: number) => Picture {
  return (t_s) => {
    const { background, shapes } = picture(t_s);
    const words: Shape = { draw: "text", text, x: 0.5, y, size: 0.09, colour: "white" };
    return { background, shapes: [...shapes, words] };
  };
}

export const SIZES = [
  [426, 240],
  [640, 360],
  [854, 480],
  [1280, 720],
  [1920, 1080],
  [360, 640],
  [480, 480],
] as const;
const RATES = [10, 12.5, 24, 25, 30000 / 1001, 30, 60];
const FONTS: Font[] = ["sans", "sans-bold", "serif", "serif-bold", "mono"];
const OTHER_WORDS = ["The End", "Chapter 2", "Clip", "7", "Step 3", "Clips of 2019", "Part 1"];

/** A random set of cards, clips and decoys, in every style that cards may have; depends on the seed only. */
export function randomSet(seed: number): { spec: ComposeSpec; numbers: (number | null)[] } {
  const random = seeded("card set", seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const between = (low: number, high: number) => low + random() * (high - low);
  const [width, height] = pick(SIZES);
  const fps = pick(RATES);
  const narrow = width < height;
  const style: Omit<CardSegment, "kind" | "text" | "duration_s"> = {
    font: pick(FONTS),
    size: between(0.04, narrow ? 0.08 : 0.2),
    background: pick([0, 0, 0, between(5, 40)]),
    ink: pick([255, 255, 235, 200]),
    noise: pick([0, 0, between(2, 12)]),
  };
  const duration_s = between(0.4, 1.2);
  const fade = () => (random() < 0.3 ? between(0.1, duration_s * 0.35) : 0);
  const fades = { fade_in_s: fade(), fade_out_s: fade() };
  const decoys: Segment[] = shuffle<Segment>(
    [
      { kind: "picture", duration_s: 0.6, picture: { background: "black", shapes: [] } },
      { kind: "picture", duration_s: 0.8, picture: scene(seed, 0.12) },
      {
        kind: "picture",
        duration_s: 0.8,
        picture: captioned(scene(seed + 1, 0.25), pick(["Clip 4", "Directed by", "The End"])),
      },
      {
        kind: "picture",
        duration_s: 0.8,
        picture: captioned(scene(seed + 2, 0.2), "(wind blows)", 0.9),
      },
      { kind: "card", duration_s: 0.7, text: pick(OTHER_WORDS), ...style },
    ],
    random,
  );
  const count = pick([2, 3, 3, 4]);
  const first = random() < 0.2 ? 9 : 1;
  const segments: Segment[] = [];
  const numbers: (number | null)[] = [];
  const add = (segment: Segment, number: number | null) => {
    segments.push(segment);
    numbers.push(number);
  };
  if (random() < 0.3) add({ kind: "picture", duration_s: 0.5, picture: scene(seed, 0.9) }, null);
  for (let i = 0; i < count; i++) {
    const number = first + i;
    add({ kind: "card", text: `Clip ${number}`, duration_s, ...style, ...fades }, number);
    if (i === count - 1 && random() < 0.15) break;
    add({ kind: "picture", duration_s: 0.7, picture: scene(`${seed} ${i}`, 0.9) }, null);
    const decoy = decoys[i];
    if (decoy !== undefined && random() < 0.7) {
      add(decoy, null);
      if (random() < 0.5)
        add({ kind: "picture", duration_s: 0.4, picture: scene(`${seed} ${i}`, 0.9) }, null);
    }
  }
  const crf = Math.round(between(18, 35));
  return { spec: { width, height, fps, segments, silent: true, crf }, numbers };
}

export function trueCards(numbers: readonly (number | null)[], made: Composition): TrueCard[] {
  return made.segments.flatMap(({ start_s, end_s }, i): TrueCard[] => {
    const number = numbers[i];
    return typeof number === "number" ? [{ number, start_s, end_s }] : [];
  });
}

/** The errors of found cards, in words; empty if each start and end is within one frame of the truth. */
export function differences(
  found: readonly TrueCard[],
  truth: readonly TrueCard[],
  fps: number,
): string[] {
  const wrong: string[] = [];
  const numbers = (cards: readonly TrueCard[]) => cards.map((card) => card.number).join(",");
  if (numbers(found) !== numbers(truth))
    return [`expected cards ${numbers(truth)}, found ${numbers(found)}`];
  for (const [i, card] of truth.entries()) {
    const start = ((found[i]?.start_s ?? 0) - card.start_s) * fps;
    const end = ((found[i]?.end_s ?? 0) - card.end_s) * fps;
    if (Math.abs(start) > 1.01)
      wrong.push(`card ${card.number} starts ${start.toFixed(1)} frames off`);
    if (Math.abs(end) > 1.01) wrong.push(`card ${card.number} ends ${end.toFixed(1)} frames off`);
  }
  return wrong;
}
