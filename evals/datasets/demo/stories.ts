import { seeded } from "../../../src/core/random.ts";
import { type Film, filmOf } from "./film.ts";
import {
  type DrawnQuestion,
  drawQuestion,
  type Story,
  type StoryKind,
} from "./question-template.ts";
import { comesBack, contradicted, inWhichOrder, mood, race, sameSpot } from "./story-pictures.ts";
import { dedicated, intent, standsFor, whereNow, whoIsAwake, whyDark } from "./story-words.ts";

/** All ten abilities of level 2; two of them twice. */
const KINDS: readonly StoryKind[] = [
  ...[comesBack, inWhichOrder, contradicted, sameSpot, mood, race],
  ...[standsFor, dedicated, whyDark, intent, whereNow, whoIsAwake],
];

export interface FilmedStory extends DrawnQuestion<Story> {
  ability: [string, string];
  videoType: string;
  film: Film;
}

/** 12 stories, one of each kind. */
export function stories(seed: number): FilmedStory[] {
  return KINDS.map(({ ability, videoType, make }, place) => {
    const random = seeded("demo story", seed, place);
    const drawn = drawQuestion(make(random), random);
    const film = filmOf(drawn.content, { width: 426, height: 240, where: "embedded" });
    return { ...drawn, ability, videoType, film };
  });
}
