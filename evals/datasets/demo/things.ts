import type { Shape } from "../../../src/media/compose.ts";
import { around } from "./drawing.ts";

/** Things that can be told apart in a small picture, drawn around a centre; `size` is a share of the height. */
export const THINGS: Record<string, (x: number, y: number, size: number) => Shape[]> = {
  boat: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.5, 0.15, 1, 0.25, "#6f4a2f"),
      at.box(-0.03, -0.5, 0.06, 0.65, "#3d2a1b"),
      at.box(0.04, -0.45, 0.35, 0.5, "#ffffff"),
    ];
  },
  house: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.4, -0.1, 0.8, 0.55, "#e0c9a6"),
      at.box(-0.5, -0.35, 1, 0.27, "#a5402d"),
      at.box(-0.1, 0.1, 0.2, 0.35, "#5d3a1a"),
    ];
  },
  tree: (x, y, size) => {
    const at = around(x, y, size);
    return [at.box(-0.07, 0, 0.14, 0.5, "#6f4a2f"), at.ball(0, -0.15, 0.33, "#2e8b47")];
  },
  car: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.5, -0.05, 1, 0.3, "#c62828"),
      at.box(-0.25, -0.3, 0.5, 0.27, "#8fc7e8"),
      at.ball(-0.28, 0.27, 0.13, "#222222"),
      at.ball(0.28, 0.27, 0.13, "#222222"),
    ];
  },
  clock: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.ball(0, 0, 0.45, "#333333"),
      at.ball(0, 0, 0.38, "#fafafa"),
      at.box(-0.025, -0.3, 0.05, 0.32, "#222222"),
      at.box(0, -0.025, 0.22, 0.05, "#222222"),
    ];
  },
  lamp: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.25, 0.4, 0.5, 0.08, "#333333"),
      at.box(-0.03, -0.1, 0.06, 0.5, "#333333"),
      at.ball(0, -0.2, 0.25, "#f9e04c"),
    ];
  },
  flag: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.4, -0.5, 0.05, 1, "#333333"),
      at.box(-0.35, -0.5, 0.75, 0.2, "#7b4ba0"),
      at.box(-0.35, -0.3, 0.75, 0.2, "#ef7f1a"),
    ];
  },
  snowman: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.ball(0, 0.24, 0.26, "#ffffff"),
      at.ball(0, -0.12, 0.18, "#ffffff"),
      at.box(-0.14, -0.5, 0.28, 0.24, "#222222"),
    ];
  },
  balloon: (x, y, size) => {
    const at = around(x, y, size);
    return [at.box(-0.01, 0.1, 0.02, 0.4, "#333333"), at.ball(0, -0.15, 0.32, "#d81b8c")];
  },
  ladder: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.22, -0.5, 0.07, 1, "#8d6e4b"),
      at.box(0.15, -0.5, 0.07, 1, "#8d6e4b"),
      ...[-0.35, -0.12, 0.11, 0.34].map((v) => at.box(-0.2, v, 0.4, 0.06, "#8d6e4b")),
    ];
  },
  bridge: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.5, -0.1, 1, 0.12, "#7f8c8d"),
      ...[-0.45, -0.06, 0.33].map((u) => at.box(u, 0, 0.12, 0.4, "#5f666b")),
    ];
  },
  gift: (x, y, size) => {
    const at = around(x, y, size);
    return [
      at.box(-0.38, -0.25, 0.76, 0.65, "#7b4ba0"),
      at.box(-0.06, -0.25, 0.12, 0.65, "#f2cf1d"),
      at.ball(-0.12, -0.33, 0.11, "#f2cf1d"),
      at.ball(0.12, -0.33, 0.11, "#f2cf1d"),
    ];
  },
};

export const THING_NAMES: readonly string[] = Object.keys(THINGS);

export function thing(name: string, x: number, y: number, size: number): Shape[] {
  return THINGS[name]?.(x, y, size) ?? [];
}
