import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compose } from "../../src/media/compose.ts";
import type { Script } from "./model-server.ts";
import { makeShuffled, procedureModel, wordsOf } from "./shuffled.ts";

/* A small library: five lessons of a week, each with its own subtitles, and a procedure in shuffled clips. */

/** In the subtitles of Thursday, the day of the launch is misheard. */
export const LESSONS = [
  ["Monday", "Plants turn light into sugar.", "Chlorophyll makes leaves green."],
  ["Tuesday", "The square root of sixteen is four.", "A prime has two divisors."],
  ["Wednesday", "A volcano is a vent in the crust.", "Basalt is a dark rock."],
  ["Thursday", "The launch window opens on Monday.", "The rocket burns hydrogen."],
  ["Friday", "A sonnet has fourteen lines.", "The last two lines rhyme."],
] as const;

/** Where the second subtitle of a lesson starts, seconds. */
export const SECOND_LINE_S = 6;

export const CLIP_PLACES = [3, 1, 2, 4];

export async function makeLessons(folder: string): Promise<{ name: string; bytes: Buffer }[]> {
  const made: { name: string; bytes: Buffer }[] = [];
  for (const [place, [day, first, second]] of LESSONS.entries()) {
    const file = join(folder, `${day}.mp4`);
    const background = ["#204080", "#803020", "#206040", "#604080", "#807020"][place] ?? "#204080";
    await compose(
      {
        width: 320,
        height: 180,
        fps: 5,
        silent: true,
        segments: [
          { kind: "picture", duration_s: 5, picture: { background, shapes: [] } },
          { kind: "picture", duration_s: 5, picture: { background: "#d0d0c0", shapes: [] } },
        ],
        subtitles: {
          captions: [
            { start_s: 1, end_s: 4, text: first },
            { start_s: SECOND_LINE_S, end_s: 9, text: second },
          ],
          where: "embedded",
        },
      },
      file,
    );
    made.push({ name: `${day} lesson.mp4`, bytes: await readFile(file) });
  }
  const bowl = join(folder, "bowl.mp4");
  await makeShuffled(bowl, CLIP_PLACES.length);
  made.push({ name: "A bowl in four steps.mp4", bytes: await readFile(bowl) });
  return made;
}

/** Believes the subtitle about the launch, chooses A for any other choice, and orders the clips of the bowl. */
export const lessonModel: Script = async (request) => {
  const words = wordsOf(request);
  if (words.includes("was observed in a video")) {
    const item = /\[(E\d+)\][^\n]*launch window/.exec(words)?.[1] ?? "E1";
    const day = /opens on Friday/.test(words) ? "B" : "A";
    return `The evidence says so [${item}].\nAnswer: ${day}`;
  }
  if (words.includes("Describe part")) return "A teacher stands at a board.";
  const reply = await procedureModel(CLIP_PLACES)(request);
  return typeof reply === "string" ? reply : "Answer: A";
};
