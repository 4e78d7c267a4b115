import type { Picture, Shape } from "../../../src/media/compose.ts";

/** Whole numbers from `low` to `high`, both included. */
export function whole(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** `count` of the items, each at most once, in random order. */
export function draw<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => {
    const [item] = left.splice(Math.floor(random() * left.length), 1);
    return item as T;
  });
}

export const INK = "#1b1b1b";
const ASPECT = 16 / 9;

export const box = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  stroke?: string,
): Shape => ({ draw: "box", x, y, width, height, fill, stroke });

export const ball = (x: number, y: number, radius: number, fill: string): Shape => ({
  draw: "circle",
  x,
  y,
  radius,
  fill,
});

export const line = (x1: number, y1: number, x2: number, y2: number, stroke = INK): Shape => ({
  draw: "line",
  x1,
  y1,
  x2,
  y2,
  stroke,
});

export const label = (text: string, x: number, y: number, size = 0.08, colour = INK): Shape => ({
  draw: "text",
  text,
  x,
  y,
  size,
  colour,
});

/** Shapes in units of `size` (a share of the height) around a middle, so that they keep their form in 16:9. */
export function around(x: number, y: number, size: number) {
  const across = (u: number) => x + (u * size) / ASPECT;
  const down = (v: number) => y + v * size;
  return {
    box: (u: number, v: number, width: number, height: number, fill: string) =>
      box(across(u), down(v), (width * size) / ASPECT, height * size, fill),
    ball: (u: number, v: number, radius: number, fill: string) =>
      ball(across(u), down(v), radius * size, fill),
    line: (u1: number, v1: number, u2: number, v2: number, stroke = INK) =>
      line(across(u1), down(v1), across(u2), down(v2), stroke),
  };
}

export function moved(shapes: readonly Shape[], dx: number, dy: number): Shape[] {
  return shapes.map((shape) =>
    shape.draw === "line"
      ? {
          ...shape,
          x1: shape.x1 + dx,
          x2: shape.x2 + dx,
          y1: shape.y1 + dy,
          y2: shape.y2 + dy,
        }
      : { ...shape, x: shape.x + dx, y: shape.y + dy },
  );
}

/** A board with a title, lines of writing below each other, and further shapes. */
export function board(
  title: string,
  lines: readonly string[] = [],
  drawn: readonly Shape[] = [],
): Picture {
  const written = (text: string, y: number, size: number, font: "sans" | "sans-bold"): Shape => ({
    draw: "text",
    text,
    x: 0.06,
    y,
    size,
    anchor: "left",
    font,
    colour: INK,
  });
  return {
    background: "#f7f5ee",
    shapes: [
      written(title, 0.12, 0.085, "sans-bold"),
      ...lines.map((text, place) => written(text, 0.33 + 0.18 * place, 0.1, "sans")),
      ...drawn,
    ],
  };
}
