import { shuffle } from "../../src/core/random.ts";
import type { Caption } from "../../src/media/compose.ts";
import type { LookingQuestion } from "./looking-films.ts";
import { between, oneOf } from "./looking-scenes.ts";

/* Words and speech of films for looking. */

type Random = () => number;

/** Words that can be told apart in letters of 11 pixels. */
export const NAMES = [
  ...["KESTREL", "HARBOUR", "JUNIPER", "MAGNOLIA", "TUNGSTEN", "BISCUIT"],
  ...["LANTERN", "VELVET", "COPPER", "WILLOW", "ZEPHYR", "PADDOCK"],
] as const;

const TOWNS = [
  ...["Turin", "Bergen", "Porto", "Ghent", "Lviv", "Basel"],
  ...["Cork", "Malmo", "Zadar", "Leeds", "Tartu", "Graz"],
] as const;
const GOODS = ["parcel", "piano", "clock", "carpet", "letter", "statue"] as const;
const FILLERS = [
  "The wind is turning round to the west.",
  "We have waited here since the early morning.",
  "Nobody remembers who built this wall.",
  "There used to be a mill further down.",
  "It will be warmer in the afternoon.",
  "My brother knows this road better than I do.",
  "You can hear the bells from here on Sundays.",
  "They painted the door again last spring.",
  "Most people walk past without stopping.",
  "That is how it has always been done.",
] as const;

/** Subtitles every 5 to 12 s. One of 2 s says where a thing goes; others name the towns or the thing. */
export function drawCaptions(
  random: Random,
  duration_s: number,
): { captions: Caption[]; question: (random: Random) => LookingQuestion } {
  const [town = "", ...others] = shuffle(TOWNS, random);
  const wrong = others.slice(0, 3);
  const goods = oneOf(random, GOODS);
  const starts: number[] = [];
  for (let at = between(random, 1, 6); at < duration_s - 5; at += between(random, 5, 12))
    starts.push(at);
  const sentences = starts.map(() => oneOf(random, FILLERS) as string);
  const places = shuffle(
    sentences.map((_, place) => place),
    random,
  );
  const [cue = 0, ...otherPlaces] = places;
  sentences[cue] = oneOf(random, [
    `In the end they sent the ${goods} to ${town}.`,
    `The ${goods} has to go to ${town}, he told me.`,
    `So the ${goods} went to ${town}.`,
  ]);
  for (const name of [...wrong, town])
    sentences[otherPlaces.shift() ?? 0] = `I was in ${name} once, as a child.`;
  sentences[otherPlaces.shift() ?? 0] = `Have you seen the ${goods} anywhere?`;
  const start_s = starts[cue] ?? 0;
  return {
    captions: starts.map((start, place) => ({
      start_s: start,
      end_s: start + (place === cue ? 2 : between(random, 2, 4)),
      text: sentences[place] ?? "",
    })),
    question: (draw) => {
      const options = shuffle([town, ...wrong], draw);
      return {
        case: "speech",
        detail: "subtitle",
        text: `What does the speaker say about the ${goods}: where does it go?`,
        options,
        right: String.fromCharCode(65 + options.indexOf(town)),
        evidence_s: [[start_s, start_s + 2]],
      };
    },
  };
}
