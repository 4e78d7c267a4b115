import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/ocr.ts";
import { openVideo } from "../../tools/video.ts";
import { below, lecture, type Measured, timed } from "./ocr.bench.ts";

/**
 * Ten minutes of a 720p lecture, indexed without captions (shots, key frames, text, subtitles) against decoding the
 * file; and what the index costs a second question. How many pictures are read stands in `ocr`.
 */
export async function bench(): Promise<Measured[]> {
  const path = await lecture();
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const whole = await timed(() =>
      runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"]),
    );
    const store = await openStore(folder);
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
    await store.close();
    return [
      below("indexing a lecture / decoding it", indexing / whole, "times", 1.8),
      below("steps of recognition that two questions repeat", done.length, "steps", 0),
      below("a second question / decoding the lecture", asking / whole, "times", 0.05),
      below(
        "questions whose answer stands on a slide, not answered",
        first.answer.answer === "A" ? 0 : 1,
        "",
        0,
      ),
    ];
  } finally {
    closeOcr();
    await rm(folder, { recursive: true, force: true });
  }
}
