import { ask } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import { openVideo } from "../../tools/video/video.ts";
import { onLecture } from "./lecture.ts";
import { below, type Measured, timed } from "./measured.ts";

/**
 * Indexes ten minutes of a 720p lecture without captions (shots, key frames, text, subtitles); compared with decoding the
 * file. Also the time of the index for a second question. The `ocr` benchmark counts the pictures read.
 */
export function bench(): Promise<Measured[]> {
  return onLecture(async ({ path, store, decoding_s }) => {
    const work = { store, run: "bench" };
    const indexing = await timed(async () => {
      await indexVideo(await openVideo(path, work), {}, work);
    });
    const done: string[] = [];
    const onEvent = (event: { type: string; stage: string }) => {
      if (event.type === "progress") done.push(event.stage);
    };
    const text = "What does cold air hold less of?";
    const first = await ask(path, { text, options: ["Water", "Sand", "Clay"] }, { store, onEvent });
    const asking = await timed(() =>
      ask(path, "Where does the rest run back?", { store, onEvent }),
    );
    return [
      below("indexing a lecture / decoding it", indexing / decoding_s, "times", 1.25),
      below("steps of recognition that two questions repeat", done.length, "steps", 0),
      below("a second question / decoding the lecture", asking / decoding_s, "times", 0.05),
      below(
        "questions whose answer stands on a slide, not answered",
        first.answer.answer === "A" ? 0 : 1,
        "",
        0,
      ),
    ];
  });
}
