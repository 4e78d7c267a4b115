import { seeded, shuffle } from "../../../src/core/random.ts";
import { board } from "./drawing.ts";
import { type Film, filmOf, type Scene } from "./film.ts";
import { angle, area, fence, holes, howManyMore, mostSold, roads } from "./lesson-figures.ts";
import { counting, mean, operation, sequence, unknown } from "./lesson-numbers.ts";
import {
  type DrawnQuestion,
  drawQuestion,
  type Lesson,
  type LessonKind,
} from "./question-template.ts";

/** All ten categories; two of them twice. */
const KINDS: readonly LessonKind[] = [
  ...[angle, area, fence, mostSold, howManyMore, mean],
  ...[unknown, operation, holes, roads, counting, sequence],
];

/** How a lesson ends. Half of the lessons do not state the result, so that it has to be calculated. */
type Ending = "said" | "written" | "open";
const ENDINGS: readonly Ending[] = [
  ...Array<Ending>(3).fill("said"),
  ...Array<Ending>(3).fill("written"),
  ...Array<Ending>(6).fill("open"),
];

export interface FilmedLesson extends DrawnQuestion<Lesson> {
  category: string;
  ending: Ending;
  film: Film;
}

/** 12 lessons, one of each kind; half of them begin slowly and last longer than 30 s. */
export function lessons(seed: number): FilmedLesson[] {
  const endings = shuffle(ENDINGS, seeded("demo endings", seed));
  const slow = shuffle(
    KINDS.map((_, place) => place % 2 === 0),
    seeded("demo lengths", seed),
  );
  return KINDS.map(({ category, make }, place) => {
    const random = seeded("demo lesson", seed, place);
    const ending = endings[place] ?? "open";
    const drawn = drawQuestion(make(random), random);
    const { scenes, result } = drawn.content;
    const all = [
      WELCOME,
      ...(slow[place] ? PREPARING : []),
      ...scenes,
      ...endingScenes(ending, result),
    ];
    const film = filmOf(all, { width: 640, height: 360, where: "sidecar" });
    return { ...drawn, category, ending, film };
  });
}

const WELCOME: Scene = {
  seconds: 3,
  picture: board("Mathematics"),
  said: "Welcome to another short lesson.",
};
const PREPARING: readonly Scene[] = [
  "Please take a pencil and a sheet of paper.",
  "You can go back at any time.",
  "There is no hurry at all.",
].map((said) => ({ seconds: 5, picture: board("Mathematics"), said }));

function endingScenes(ending: Ending, result: string): Scene[] {
  const turn = "Your turn";
  if (ending === "open")
    return [{ seconds: 5, picture: board(turn), said: "Stop here and work it out for yourself." }];
  const picture = ending === "said" ? board("Result") : board("Result", inLines(result));
  return [
    {
      seconds: 5,
      picture,
      said: ending === "said" ? result : "Compare this with what you have found.",
      evidence: true,
    },
  ];
}

/** Most letters on a line. */
const WIDEST = 27;

function inLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDEST)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
