import type { Picture, Shape } from "../../src/media/compose.ts";

/*
 * What films for looking are drawn from: muted scenes that are still, drift, are busy, flicker or shake, and figures of
 * strong colours that the detector can tell apart. Lengths are shares of the frame, as in compose.
 */

type Random = () => number;

export const COLOURS = ["red", "green", "blue", "yellow", "pink", "turquoise"] as const;
export type Colour = (typeof COLOURS)[number];
export const FIGURES = ["disc", "square", "cross", "ring", "frame"] as const;
export type Figure = (typeof FIGURES)[number];

/** Hues in degrees; violet is for boards with dots only. */
export const HUES: Record<Colour | "violet", number> = {
  red: 0,
  yellow: 55,
  green: 125,
  turquoise: 180,
  blue: 225,
  violet: 268,
  pink: 310,
};

const ASPECT = 16 / 9;

/** A random number from `low` to `high`. */
export const between = (random: Random, low: number, high: number) => low + random() * (high - low);
export const oneOf = <T>(random: Random, items: readonly T[]) =>
  items[Math.floor(random() * items.length)] as T;

/** `#rrggbb`, with `alpha` `#rrggbbaa`. */
export function colourOf(hue: number, saturation: number, value: number, alpha = 1): string {
  const channel = (n: number) => {
    const k = (n + hue / 60) % 6;
    const level = value - value * saturation * Math.max(0, Math.min(k, 4 - k, 1));
    return hex(level * 255);
  };
  return `#${channel(5)}${channel(3)}${channel(1)}${alpha < 1 ? hex(alpha * 255) : ""}`;
}

const hex = (level: number) =>
  Math.max(0, Math.min(255, Math.round(level)))
    .toString(16)
    .padStart(2, "0");

/** The background of a scene. */
export interface Place {
  /** The picture at a time, in seconds since the scene began. */
  picture: (t_s: number) => Picture;
  moves: boolean;
  noise: number;
}

const MOTIONS = ["still", "still", "still", "drift", "busy", "light", "shake"] as const;

/** A place in muted colours, bright or dark, with and without noise; three of seven are still. */
export function drawPlace(random: Random): Place {
  const light = between(random, 0.2, 0.8);
  const muted = (value: number) =>
    colourOf(
      random() * 360,
      between(random, 0.03, 0.2),
      Math.min(0.82, Math.max(0.08, value + between(random, -0.2, 0.2))),
    );
  const background = { hue: random() * 360, saturation: between(random, 0.02, 0.18) };
  const things = Array.from({ length: 3 + Math.floor(random() * 6) }, () => ({
    round: random() < 0.5,
    x: random(),
    y: random(),
    size: between(random, 0.04, 0.3),
    fill: muted(light),
    speed: between(random, 0.1, 0.8),
    phase: random() * 7,
  }));
  const motion = oneOf(random, MOTIONS);
  const phase = random() * 7;
  const picture = (t_s: number): Picture => {
    const shake = (k: number) => (motion === "shake" ? 0.004 * Math.sin(t_s * 9 * k + phase) : 0);
    const dim = motion === "light" ? 0.06 * Math.sin(t_s * 0.8 + phase) : 0;
    return {
      background: colourOf(background.hue, background.saturation, light + dim),
      shapes: things.map((thing, place): Shape => {
        const busy = motion === "busy" && place % 2 === 0;
        const away = busy ? 0.15 * Math.sin(t_s * thing.speed * 2 + thing.phase) : 0;
        const drift = motion === "drift" ? 0.006 * t_s : 0;
        const x = thing.x + away + drift + shake(1);
        const y =
          thing.y + (busy ? 0.1 * Math.cos(t_s * thing.speed + thing.phase) : 0) + shake(1.3);
        return thing.round
          ? { draw: "circle", x, y, radius: thing.size / 2, fill: thing.fill }
          : boxAround(x, y, thing.size, thing.size, thing.fill);
      }),
    };
  };
  return {
    picture,
    moves: motion !== "still",
    noise: motion === "still" ? 0 : oneOf(random, [0, 0, 2, 4]),
  };
}

/** `wide` and `high` are shares of the frame's height. */
function boxAround(x: number, y: number, wide: number, high: number, fill: string): Shape {
  const width = wide / ASPECT;
  return { draw: "box", x: x - width / 2, y: y - high / 2, width, height: high, fill };
}

/** A figure in the colour `fill`; a hole in it has the colour `ground`. */
export function figureShapes(
  figure: Figure,
  fill: string,
  ground: string,
  { x, y, size }: { x: number; y: number; size: number },
): Shape[] {
  const ball = (share: number, paint: string): Shape => ({
    draw: "circle",
    x,
    y,
    radius: (size / 2) * share,
    fill: paint,
  });
  switch (figure) {
    case "disc":
      return [ball(1, fill)];
    case "ring":
      return [ball(1, fill), ball(0.55, ground)];
    case "square":
      return [boxAround(x, y, size, size, fill)];
    case "frame":
      return [boxAround(x, y, size, size, fill), boxAround(x, y, size * 0.5, size * 0.5, ground)];
    case "cross":
      return [boxAround(x, y, size, size / 3, fill), boxAround(x, y, size / 3, size, fill)];
  }
}

const DOT_PLACES: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, 0],
  [1, 0],
];

/** A violet board with 1 to 6 white dots. */
export function boardShapes(
  dots: number,
  { x, y, size }: { x: number; y: number; size: number },
): Shape[] {
  return [
    boxAround(x, y, size, size, colourOf(HUES.violet, 0.85, 0.75)),
    ...DOT_PLACES.slice(0, dots).map(
      ([u, v]): Shape => ({
        draw: "circle",
        x: x + (u * size * 0.25) / ASPECT,
        y: y + v * size * 0.3,
        radius: size * 0.095,
        fill: "#ffffff",
      }),
    ),
  ];
}

/** Dark words on a slightly larger white plate; `size` is the height of the letters. */
export function plateShapes(
  words: string,
  { x, y, size }: { x: number; y: number; size: number },
): Shape[] {
  return [
    boxAround(x, y, Math.max(6, words.length) * size * 0.85, size * 2.1, "#f8f8f6"),
    ...(words === ""
      ? []
      : [
          {
            draw: "text",
            text: words,
            x,
            y,
            size,
            font: "sans-bold",
            colour: "#141414",
          } as const,
        ]),
  ];
}
