import { ball, draw, whole } from "./drawing.ts";
import type { Scene } from "./film.ts";
import type { StoryKind } from "./question-template.ts";
import { closeUp, idle, landscape, NAMES, sign } from "./story-scenes.ts";
import { THING_NAMES, thing } from "./things.ts";

/* Stories whose evidence is spoken, or written in the picture. */

const MEANINGS = [
  ...["freedom", "childhood", "luck", "patience", "courage", "hope"],
  ...["memory", "friendship", "silence", "wisdom", "homesickness", "ambition"],
];

export const standsFor: StoryKind = {
  ability: ["Metaphor Understanding", "Object Metaphor"],
  videoType: "Philosophy",
  make(random) {
    const meanings = draw(MEANINGS, whole(random, 7, 12), random);
    const things = draw(THING_NAMES, 3, random);
    const people = draw(NAMES, 3, random);
    const asked = whole(random, 0, 2);
    return {
      question: `What does the ${things[asked]} stand for in this film?`,
      options: meanings.map((meaning) => `For ${meaning}`),
      render(right) {
        const meant = draw(
          meanings.filter((_, place) => place !== right),
          2,
          random,
        );
        meant.splice(asked, 0, meanings[right] ?? "");
        return [
          ...things.flatMap((name, place): Scene[] => [
            {
              seconds: 5,
              picture: closeUp(name, place),
              said: `To ${people[place]} the ${name} means ${meant[place]}.`,
              evidence: place === asked,
            },
            ...idle(1, random),
          ]),
          {
            seconds: 5,
            picture: closeUp(things[asked] ?? "", 4),
            said: "This is what is left in the last picture.",
            evidence: true,
          },
        ];
      },
    };
  },
};

const GROUPS = [
  ...[
    "night nurses",
    "lost sailors",
    "old teachers",
    "young farmers",
    "tired drivers",
    "brave miners",
  ],
  ...["quiet bakers", "stubborn poets", "village doctors", "lonely shepherds"],
];
const CREDITS = ["Music by", "Costumes by", "Photos by"];

export const dedicated: StoryKind = {
  ability: ["Theme Understanding", "Dedication"],
  videoType: "Film",
  make(random) {
    const groups = draw(GROUPS, whole(random, 7, 10), random);
    return {
      question: "To whom is the film dedicated?",
      options: groups.map((group) => `To the ${group}`),
      render(right) {
        const others = draw(
          groups.filter((_, place) => place !== right),
          3,
          random,
        );
        return [
          { seconds: 4, picture: sign(CREDITS[0] ?? "", `the ${others[0]}`) },
          ...idle(3, random),
          { seconds: 4, picture: sign(CREDITS[1] ?? "", `the ${others[1]}`) },
          {
            seconds: 5,
            picture: sign("This film is dedicated", `to the ${groups[right]}`),
            evidence: true,
          },
          { seconds: 4, picture: sign(CREDITS[2] ?? "", `the ${others[2]}`) },
        ];
      },
    };
  },
};

const REASONS = [
  ...["the cat has chewed the cable", "rain came in through the roof", "a fuse has burned"],
  ...["nobody paid the bill", "a bird sat down on the switch", "the oil has run dry"],
  ...[
    "ice broke the mast",
    "the wick was too short",
    "moths covered the glass",
    "the guard fell asleep",
  ],
];
const CLOSED = ["garden", "harbour", "market"];

export const whyDark: StoryKind = {
  ability: ["Causal Reasoning", "Cause of an Event"],
  videoType: "Animation",
  make(random) {
    const reasons = draw(REASONS, whole(random, 7, 10), random);
    const place = draw(CLOSED, 1, random)[0] ?? "";
    return {
      question: "Why does the lamp go out at the end?",
      options: reasons.map((reason) => `Because ${reason}`),
      render(right) {
        const [other = ""] = draw(
          reasons.filter((_, option) => option !== right),
          1,
          random,
        );
        const lit = closeUp("lamp");
        const dark = { background: "#1d2329", shapes: thing("lamp", 0.5, 0.5, 0.5).slice(0, 2) };
        return [
          { seconds: 4, picture: lit, said: "Every evening this light can be seen from the sea." },
          {
            seconds: 5,
            picture: closeUp("house", 1),
            said: `One more thing about the lamp: ${reasons[right]}.`,
            evidence: true,
          },
          ...idle(2, random),
          {
            seconds: 5,
            picture: closeUp("tree", 2),
            said: `By the way, the ${place} is closed, for ${other}.`,
          },
          ...idle(2, random),
          { seconds: 2, picture: lit, evidence: true },
          { seconds: 3, picture: dark, evidence: true },
        ];
      },
    };
  },
};

const AIMS = [
  ...["sell old lamps", "teach sailor knots", "praise a small village", "warn of thin ice"],
  ...["thank a nurse", "find a lost dog", "collect money for a bridge", "win a bet"],
  ...["remember a brother", "mock a politician"],
];

export const intent: StoryKind = {
  ability: ["Video Type and Intent", "Intent of the Maker"],
  videoType: "Life",
  make(random) {
    const aims = draw(AIMS, whole(random, 7, 10), random);
    return {
      question: "What does the maker want with this film?",
      options: aims.map((aim) => `To ${aim}`),
      render(right) {
        const [other = ""] = draw(
          aims.filter((_, place) => place !== right),
          1,
          random,
        );
        return [
          ...idle(2, random),
          {
            seconds: 5,
            picture: closeUp("balloon", 1),
            said: `My sister took pictures all summer to ${other}.`,
          },
          ...idle(2, random),
          {
            seconds: 5,
            picture: closeUp("ladder", 2),
            said: `The maker of this film, that is me, only wants to ${aims[right]}.`,
            evidence: true,
          },
          { seconds: 4, picture: sign("The End") },
        ];
      },
    };
  },
};

export const whereNow: StoryKind = {
  ability: ["Sequential Structure Reasoning", "Chain of Events"],
  videoType: "Art",
  make(random) {
    const things = draw(THING_NAMES, whole(random, 7, 9), random);
    const people = draw(NAMES, 3, random);
    return {
      question: "Where does the ring lie at the end?",
      options: things.map((name) => `At the ${name}`),
      render(right) {
        const stops = [
          ...draw(
            things.filter((_, place) => place !== right),
            2,
            random,
          ),
          things[right] ?? "",
        ];
        return stops.flatMap((stop, place): Scene[] => [
          {
            seconds: 5,
            said: `${people[place]} carries it to the ${stop}.`,
            picture: (t_s) =>
              landscape(
                [
                  ...thing(stop, 0.65, 0.5, 0.45),
                  ball(0.1 + 0.08 * Math.min(t_s, 4), 0.68, 0.04, "#e0b020"),
                ],
                place,
              ),
            evidence: true,
          },
          ...idle(place === 2 ? 1 : 2, random),
        ]);
      },
    };
  },
};

export const whoIsAwake: StoryKind = {
  ability: ["Causal Reasoning", "Linked Clues"],
  videoType: "Philosophy",
  make(random) {
    const people = draw(NAMES, whole(random, 7, 9), random);
    const rooms = draw([11, 12, 14, 15, 17, 18, 21, 23, 26], people.length, random);
    return {
      question: "Who is awake all night?",
      options: people,
      render(right) {
        const doors = draw(
          people.map((name, place) => ({ name, place })),
          people.length,
          random,
        );
        return [
          ...doors.map(
            ({ name, place }): Scene => ({
              seconds: 2.4,
              picture: sign(`Room ${rooms[place]}`, name),
              evidence: place === right,
            }),
          ),
          ...idle(3, random),
          {
            seconds: 5,
            picture: closeUp("house", 2),
            said: `In room ${rooms[right]} the light burns until the morning.`,
            evidence: true,
          },
        ];
      },
    };
  },
};
