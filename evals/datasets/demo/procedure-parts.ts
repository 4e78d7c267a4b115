import type { Shape } from "../../../src/media/compose.ts";
import { ball, box, draw, line } from "./drawing.ts";

/** A thing that one step of a procedure adds. */
export interface Part {
  name: string;
  shapes: Shape[];
}

/** Seven parts in the order in which they are added; the first `n` of them form a procedure of `n` steps. */
interface Plan {
  goal: string;
  parts(random: () => number): Part[];
}

export const LONGEST = 7;

const COLOURS: Record<string, string> = {
  red: "#c62828",
  orange: "#ef7f1a",
  yellow: "#f2cf1d",
  green: "#2e8b47",
  blue: "#2b5fae",
  violet: "#7b4ba0",
  brown: "#6f4a2f",
  white: "#fafafa",
  black: "#222222",
  pink: "#e58fb1",
};

const fixed = (goal: string, ...parts: [string, ...Shape[]][]): Plan => ({
  goal,
  parts: () => parts.map(([name, ...shapes]) => ({ name, shapes })),
});

/** Things in random colours, added one after another to a row or pile. */
const piled = (
  goal: string,
  step: (colour: string) => string,
  shape: (place: number, fill: string) => Shape[],
): Plan => ({
  goal,
  parts: (random) =>
    draw(Object.entries(COLOURS), LONGEST, random).map(([colour, fill], place) => ({
      name: step(colour),
      shapes: shape(place, fill),
    })),
});

export const PLANS: readonly Plan[] = [
  piled(
    "Build a tower of blocks",
    (colour) => `Put the ${colour} block on the tower`,
    (place, fill) => [box(0.44, 0.68 - 0.1 * place, 0.12, 0.1, fill, "#444444")],
  ),
  piled(
    "Make a layered sandwich",
    (colour) => `Lay the ${colour} slice on the pile`,
    (place, fill) => [box(0.32, 0.72 - 0.06 * place, 0.36, 0.055, fill, "#5b4a32")],
  ),
  piled(
    "Thread a necklace",
    (colour) => `Push the ${colour} bead onto the string`,
    (place, fill) => [ball(0.14 + 0.12 * place, 0.45 + 0.02 * (place % 2), 0.08, fill)],
  ),
  piled(
    "Couple a train",
    (colour) => `Couple the ${colour} wagon to the train`,
    (place, fill) => [
      box(0.02 + 0.138 * place, 0.58, 0.125, 0.14, fill, "#333333"),
      ball(0.05 + 0.138 * place, 0.75, 0.03, "#222222"),
      ball(0.115 + 0.138 * place, 0.75, 0.03, "#222222"),
    ],
  ),
  fixed(
    "Build a house",
    ["Put up the walls", box(0.32, 0.45, 0.36, 0.33, "#e0c9a6", "#7a6a50")],
    ["Lay the roof on the walls", box(0.28, 0.35, 0.44, 0.11, "#a5402d")],
    ["Set the door into the wall", box(0.47, 0.58, 0.08, 0.2, "#5d3a1a")],
    ["Fit the left window", box(0.36, 0.53, 0.07, 0.1, "#8fc7e8", "#444444")],
    ["Fit the right window", box(0.59, 0.53, 0.07, 0.1, "#8fc7e8", "#444444")],
    ["Set the chimney on the roof", box(0.6, 0.22, 0.05, 0.14, "#7c2f21")],
    [
      "Raise the flag on the chimney",
      box(0.622, 0.08, 0.005, 0.14, "#333333"),
      box(0.627, 0.08, 0.07, 0.07, "#2b5fae"),
    ],
  ),
  fixed(
    "Build a snowman",
    ["Roll the big ball", ball(0.5, 0.66, 0.17, "#ffffff")],
    ["Set the middle ball on the big one", ball(0.5, 0.42, 0.12, "#f4f8fb")],
    ["Set the head on the middle ball", ball(0.5, 0.25, 0.085, "#ffffff")],
    [
      "Put the hat on the head",
      box(0.45, 0.155, 0.1, 0.03, "#222222"),
      box(0.465, 0.06, 0.07, 0.1, "#222222"),
    ],
    ["Stick the carrot into the face", box(0.5, 0.245, 0.06, 0.02, "#ef7f1a")],
    [
      "Press the buttons into the belly",
      ball(0.5, 0.38, 0.016, "#222222"),
      ball(0.5, 0.44, 0.016, "#222222"),
      ball(0.5, 0.5, 0.016, "#222222"),
    ],
    [
      "Lean the broom against the snowman",
      box(0.615, 0.3, 0.01, 0.48, "#6f4a2f"),
      box(0.595, 0.2, 0.05, 0.11, "#d8b25c"),
    ],
  ),
  fixed(
    "Assemble a robot",
    [
      "Stand the legs on the ground",
      box(0.44, 0.58, 0.04, 0.2, "#7f8c8d"),
      box(0.52, 0.58, 0.04, 0.2, "#7f8c8d"),
    ],
    ["Mount the body on the legs", box(0.41, 0.34, 0.18, 0.25, "#95a5a6", "#555555")],
    ["Screw the head on the body", box(0.45, 0.19, 0.1, 0.14, "#b2bec3", "#555555")],
    ["Attach the left arm", box(0.35, 0.36, 0.055, 0.06, "#7f8c8d")],
    ["Attach the right arm", box(0.595, 0.36, 0.055, 0.06, "#7f8c8d")],
    ["Switch on the eyes", ball(0.48, 0.25, 0.022, "#c62828"), ball(0.52, 0.25, 0.022, "#c62828")],
    [
      "Plug the antenna into the head",
      box(0.497, 0.08, 0.006, 0.11, "#333333"),
      ball(0.5, 0.07, 0.025, "#f2cf1d"),
    ],
  ),
  fixed(
    "Lay the table for one",
    ["Spread the cloth over the table", box(0.12, 0.3, 0.76, 0.46, "#ffffff", "#999999")],
    ["Put the plate in the middle", ball(0.5, 0.54, 0.16, "#d6e6f2")],
    ["Lay the fork on the left", box(0.3, 0.42, 0.018, 0.26, "#8a8f94")],
    ["Lay the knife on the right", box(0.69, 0.42, 0.024, 0.26, "#5f666b")],
    ["Stand the glass behind the knife", ball(0.72, 0.35, 0.055, "#8fc7e8")],
    ["Put the bread on the plate", box(0.46, 0.49, 0.08, 0.09, "#b9803f")],
    [
      "Light the candle behind the plate",
      box(0.42, 0.32, 0.02, 0.09, "#c62828"),
      ball(0.43, 0.3, 0.022, "#f2cf1d"),
    ],
  ),
  fixed(
    "Plant a tree",
    ["Dig the hole", box(0.4, 0.78, 0.2, 0.16, "#4b3421")],
    ["Lay the roots into the hole", ball(0.5, 0.85, 0.05, "#8d6e4b")],
    ["Set the trunk on the roots", box(0.485, 0.42, 0.03, 0.38, "#6f4a2f")],
    ["Fill the hole with soil", box(0.4, 0.78, 0.2, 0.16, "#7d5a3a")],
    [
      "Tie the trunk to a stake",
      box(0.53, 0.5, 0.012, 0.3, "#d8b25c"),
      line(0.5, 0.58, 0.54, 0.58, "#222222"),
    ],
    ["Water the soil", box(0.38, 0.775, 0.24, 0.025, "#4d9ad0")],
    [
      "Let the leaves come out",
      ball(0.46, 0.36, 0.11, "#2e8b47"),
      ball(0.54, 0.36, 0.11, "#2e8b47"),
      ball(0.5, 0.24, 0.11, "#3aa757"),
    ],
  ),
  fixed(
    "Decorate a birthday cake",
    ["Set the dish on the table", box(0.28, 0.74, 0.44, 0.035, "#d6e6f2", "#7b8a94")],
    ["Lay the bottom layer on the dish", box(0.33, 0.6, 0.34, 0.14, "#b9803f")],
    ["Spread the cream on the bottom layer", box(0.33, 0.56, 0.34, 0.045, "#fff5dc", "#cdbf9a")],
    ["Lay the top layer on the cream", box(0.38, 0.43, 0.24, 0.13, "#8d5a2b")],
    ["Pour the chocolate over the top layer", box(0.37, 0.4, 0.26, 0.04, "#3b2314")],
    ["Stick the candle into the chocolate", box(0.494, 0.24, 0.012, 0.16, "#2b5fae")],
    ["Light the candle", ball(0.5, 0.21, 0.03, "#ef7f1a")],
  ),
  fixed(
    "Build a toy boat",
    ["Lay the hull into the water", box(0.3, 0.66, 0.4, 0.12, "#6f4a2f")],
    ["Nail the deck on the hull", box(0.28, 0.63, 0.44, 0.035, "#d8b25c")],
    ["Step the mast on the deck", box(0.494, 0.18, 0.012, 0.46, "#3d2a1b")],
    ["Hoist the sail", box(0.51, 0.22, 0.16, 0.36, "#fafafa", "#888888")],
    ["Set the cabin on the deck", box(0.34, 0.52, 0.11, 0.11, "#c62828")],
    [
      "Paint the portholes on the hull",
      ball(0.38, 0.72, 0.025, "#fafafa"),
      ball(0.5, 0.72, 0.025, "#fafafa"),
      ball(0.62, 0.72, 0.025, "#fafafa"),
    ],
    ["Fly the pennant from the mast", box(0.4, 0.16, 0.095, 0.05, "#2e8b47")],
  ),
  fixed(
    "Put up a street lamp",
    ["Pour the concrete foot", box(0.44, 0.74, 0.12, 0.05, "#8a8f94")],
    ["Raise the post on the foot", box(0.49, 0.2, 0.02, 0.54, "#3f474d")],
    ["Bolt the arm to the post", box(0.5, 0.2, 0.16, 0.025, "#3f474d")],
    ["Hang the lantern from the arm", box(0.63, 0.225, 0.05, 0.09, "#222222")],
    ["Screw in the bulb", ball(0.655, 0.33, 0.03, "#fafafa")],
    ["Fix the street sign to the post", box(0.36, 0.36, 0.13, 0.08, "#2b5fae", "#ffffff")],
    ["Switch on the light", ball(0.655, 0.35, 0.06, "#f9e04c")],
  ),
];
