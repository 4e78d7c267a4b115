import type { Picture, Shape } from "../../../src/media/compose.ts";
import { ball, box, draw, label, line, whole } from "./drawing.ts";
import type { Scene } from "./film.ts";
import type { StoryKind } from "./question-template.ts";
import { closeUp, idle, landscape, NAMES, row } from "./story-scenes.ts";
import { THING_NAMES, thing } from "./things.ts";

/* Stories whose evidence has to be seen. */

export const comesBack: StoryKind = {
  ability: ["Implicit Symbol", "Object Symbol"],
  videoType: "Film",
  make(random) {
    const things = draw(THING_NAMES, whole(random, 7, 12), random);
    return {
      question: "Which thing from the very beginning is seen again at the very end?",
      options: things.map((name) => `The ${name}`),
      render(right) {
        const wanted = closeUp(things[right] ?? "");
        const others = draw(
          things.filter((_, place) => place !== right),
          things.length - 1,
          random,
        );
        return [
          { seconds: 3, picture: wanted, evidence: true },
          ...idle(1, random),
          ...others.map((name, place): Scene => ({ seconds: 2, picture: closeUp(name, place) })),
          ...idle(1, random),
          { seconds: 3, picture: wanted, evidence: true },
        ];
      },
    };
  },
};

export const inWhichOrder: StoryKind = {
  ability: ["Sequential Structure Reasoning", "Event Order"],
  videoType: "Animation",
  make(random) {
    const things = draw(THING_NAMES, 4, random);
    const count = whole(random, 7, 10);
    const orders = new Map<string, string[]>();
    while (orders.size < count) {
      const order = draw(things, things.length, random);
      orders.set(order.join(", "), order);
    }
    const all = [...orders.values()];
    return {
      question: "In which order do the four things come into the picture?",
      options: [...orders.keys()],
      render: (right) =>
        (all[right] ?? []).flatMap((name, place) => [
          {
            seconds: 3,
            picture: (t_s: number) => landscape(thing(name, -0.1 + t_s * 0.22, 0.55, 0.4), place),
            evidence: true,
          },
          ...idle(1, random),
        ]),
    };
  },
};

export const contradicted: StoryKind = {
  ability: ["Counterintuitive Reasoning", "Contradiction"],
  videoType: "Art",
  make(random) {
    const things = draw(THING_NAMES, whole(random, 7, 9), random);
    return {
      question: "Which thing does the opposite of what the narrator says?",
      options: things.map((name) => `The ${name}`),
      render(right) {
        const wanted = things[right] ?? "";
        return draw(things, things.length, random).map((name, place): Scene => {
          const grows = random() < 0.5;
          const said = grows === (name !== wanted) ? "grows" : "shrinks";
          return {
            seconds: 3.6,
            said: `Look how the ${name} ${said}.`,
            picture: (t_s) =>
              landscape(
                thing(name, 0.5, 0.48, grows ? 0.15 + 0.12 * t_s : 0.55 - 0.12 * t_s),
                place,
              ),
            evidence: name === wanted,
          };
        });
      },
    };
  },
};

export const sameSpot: StoryKind = {
  ability: ["Cross-modal Transfer Reasoning", "Place Memory"],
  videoType: "Life",
  make(random) {
    const things = draw(THING_NAMES, whole(random, 7, 8), random);
    const places = draw(things, things.length, random);
    const { x, size } = row(things.length);
    const stands = (...further: Shape[]): Picture =>
      landscape([
        ...places.map((_, place) => box(x(place) - 0.045, 0.66, 0.09, 0.1, "#8a8f94")),
        ...further,
      ]);
    return {
      question: "Which thing stands at the end where the cross was at the beginning?",
      options: things.map((name) => `The ${name}`),
      render(right) {
        const spot = x(places.indexOf(things[right] ?? ""));
        const on = places.flatMap((name, place) => thing(name, x(place), 0.55, size));
        return [
          {
            seconds: 4,
            picture: stands(label("×", spot, 0.53, 0.3, "#c62828")),
            said: "Remember this place.",
            evidence: true,
          },
          { seconds: 2, picture: stands() },
          ...idle(4, random),
          {
            seconds: 5,
            picture: stands(...on),
            said: "Here everybody has brought something.",
            evidence: true,
          },
        ];
      },
    };
  },
};

const INK_EYE = "#222222";

const FACES: Record<string, (x: number, y: number) => Shape[]> = {
  Happy: (x, y) => [
    ...eyes(x, y),
    line(x - 0.04, y + 0.05, x, y + 0.1),
    line(x, y + 0.1, x + 0.04, y + 0.05),
  ],
  Sad: (x, y) => [
    ...eyes(x, y),
    line(x - 0.04, y + 0.1, x, y + 0.05),
    line(x, y + 0.05, x + 0.04, y + 0.1),
    ball(x - 0.03, y + 0.03, 0.016, "#2b5fae"),
  ],
  Surprised: (x, y) => [
    ball(x - 0.03, y - 0.04, 0.03, INK_EYE),
    ball(x + 0.03, y - 0.04, 0.03, INK_EYE),
    ball(x, y + 0.08, 0.04, "#7a1f1f"),
  ],
  Asleep: (x, y) => [
    line(x - 0.045, y - 0.04, x - 0.015, y - 0.04),
    line(x + 0.015, y - 0.04, x + 0.045, y - 0.04),
    label("z z", x + 0.07, y - 0.2, 0.08),
  ],
  Angry: (x, y) => [
    ...eyes(x, y),
    line(x - 0.05, y - 0.1, x - 0.01, y - 0.06),
    line(x + 0.05, y - 0.1, x + 0.01, y - 0.06),
    line(x - 0.04, y + 0.09, x + 0.04, y + 0.09),
  ],
  Calm: (x, y) => [...eyes(x, y), line(x - 0.03, y + 0.08, x + 0.03, y + 0.08)],
  "In love": (x, y) => [
    label("♥", x - 0.03, y - 0.04, 0.09, "#c62828"),
    label("♥", x + 0.03, y - 0.04, 0.09, "#c62828"),
    line(x - 0.04, y + 0.05, x, y + 0.1),
    line(x, y + 0.1, x + 0.04, y + 0.05),
  ],
};

function eyes(x: number, y: number): Shape[] {
  return [ball(x - 0.03, y - 0.04, 0.018, INK_EYE), ball(x + 0.03, y - 0.04, 0.018, INK_EYE)];
}

const head = (x: number, y: number) => ball(x, y, 0.17, "#f0c9a0");

export const mood: StoryKind = {
  ability: ["Emotion Recognition", "Character Emotion"],
  videoType: "TV",
  make(random) {
    const moods = draw(Object.keys(FACES), 7, random);
    const people = draw(NAMES, 3, random);
    const asked = whole(random, 0, 2);
    const spot = (place: number) => 0.2 + 0.3 * place;
    return {
      question: `How does ${people[asked]} feel at the end?`,
      options: moods,
      render(right) {
        const others = draw(
          moods.filter((_, place) => place !== right),
          2,
          random,
        );
        others.splice(asked, 0, moods[right] ?? "");
        const named = people.flatMap((name, place) => [
          head(spot(place), 0.42),
          ...(FACES.Calm?.(spot(place), 0.42) ?? []),
          label(name, spot(place), 0.88, 0.1),
        ]);
        const final = others.flatMap((face, place) => [
          head(spot(place), 0.42),
          ...(FACES[face]?.(spot(place), 0.42) ?? []),
        ]);
        return [
          {
            seconds: 5,
            picture: landscape(named),
            said: "Three friends sit down for dinner.",
            evidence: true,
          },
          ...idle(4, random),
          {
            seconds: 5,
            picture: landscape(final, 1),
            said: "The letter has been read, and nobody has changed seats.",
            evidence: true,
          },
        ];
      },
    };
  },
};

/** Share of the track that the winner covers. */
const LEAD = 0.8;

export const race: StoryKind = {
  ability: ["Comment Matching", "Audience Comment"],
  videoType: "TV",
  make(random) {
    const racers = draw(THING_NAMES, 7, random);
    const lane = (place: number) => 0.1 + 0.125 * place;
    const at = (ways: readonly number[]): Picture =>
      landscape(
        racers.flatMap((name, place) => thing(name, 0.06 + (ways[place] ?? 0), lane(place), 0.13)),
      );
    return {
      question: "Which comment has somebody written who saw the race to its end?",
      options: racers.map((name) => `I knew that the ${name} would win!`),
      render(right) {
        const ends = racers.map((_, place) => (place === right ? LEAD : 0.4 + random() * 0.25));
        const leader = whole(random, 0, racers.length - 1);
        const middles = ends.map((end, place) =>
          place === leader ? 0.38 : Math.min(0.3, end / 2),
        );
        const between = (from: readonly number[], to: readonly number[], share: number) =>
          from.map((way, place) => way + ((to[place] ?? 0) - way) * share);
        const start = racers.map(() => 0);
        return [
          {
            seconds: 4,
            picture: (t_s) => at(between(start, middles, t_s / 4)),
            said: "And they are off!",
            evidence: true,
          },
          ...idle(4, random),
          {
            seconds: 5,
            picture: (t_s) => at(between(middles, ends, t_s / 5)),
            said: "Now comes the last part of the way.",
            evidence: true,
          },
        ];
      },
    };
  },
};
