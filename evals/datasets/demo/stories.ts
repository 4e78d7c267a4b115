import { seeded } from "../../../src/core/random.ts";
import { type Film, filmOf } from "./film.ts";
import { type Settled, type Story, type StoryKind, settle } from "./riddle.ts";
import { comesBack, contradicted, inWhichOrder, mood, race, sameSpot } from "./story-pictures.ts";
import { dedicated, intent, standsFor, whereNow, whoIsAwake, whyDark } from "./story-words.ts";

/** All ten abilities of level 2; two of them twice. */
const KINDS: readonly StoryKind[] = [
  ...[comesBack, inWhichOrder, contradicted, sameSpot, mood, race],
  ...[standsFor, dedicated, whyDark, intent, whereNow, whoIsAwake],
];

export interface FilmedStory extends Settled<Story> {
  ability: [string, string];
  videoType: string;
  film: Film;
}

/** 12 stories, one of each kind. */
export function stories(seed: number): FilmedStory[] {
  return KINDS.map(({ ability, videoType, make }, place) => {
    const random = seeded("demo story", seed, place);
    const settled = settle(make(random), random);
    const film = filmOf(settled.told, { width: 426, height: 240, where: "embedded" });
    return { ...settled, ability, videoType, film };
  });
}
