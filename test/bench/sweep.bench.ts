import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSweep } from "../../evals/sweep/sweep.ts";
import { readSweep } from "../../evals/sweep/sweep-settings.ts";
import { compose } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { findTitleCards } from "../../tools/video/title-cards.ts";
import { openVideo } from "../../tools/video/video.ts";
import { startModelServer } from "../support/model-server.ts";
import { procedureModel, rightOrder } from "../support/shuffled.ts";

const PROCEDURES = 50;
/** Place of each clip in the procedure. */
const PLACES = [2, 4, 1, 3];
/**
 * Calls for one procedure: recognition in one call and clip by clip. Both give the same sentences, so that they share the
 * call that orders them and a merge sort of five comparisons.
 */
const DIFFERENT = 1 + PLACES.length + 1 + 5;
/** Calls for one procedure if the four arms share nothing. */
const ALONE = 1 + 1 + (1 + 5) + (PLACES.length + 1) + (PLACES.length + 5);
const COLOURS = ["r", "g", "b", "rg"];

/**
 * The four arms of recognition x reasoning on 50 procedures with stored title cards: every distinct call reaches the
 * server exactly once.
 */
export async function bench() {
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const server = await startModelServer(procedureModel(PLACES), { keep: "light" });
  try {
    const data = join(root, "data");
    await makeData(data);
    const store = join(root, "store");
    await findCards(data, store);
    const sweep = readSweep({
      base: {
        ...{ benchmark: "vcrbench", data, strategy: "rrd", model: "openai:scripted" },
        recognition: { frames: 16, max_side: 64, input: "clip" },
        runtime: { base_url: server.url, data: store, max_connections: 16 },
      },
      axes: {
        "recognition.mode": ["all-at-once", "sequential"],
        "reasoning.method": ["all-at-once", "merge-sort"],
      },
    });
    const began = performance.now();
    const { calls, runs } = await startSweep(sweep, join(root, "sweep"));
    const seconds = (performance.now() - began) / 1000;
    const sent = server.chats().length;
    const right = runs.reduce((sum, { progress }) => sum + progress.right, 0);
    const wanted = PROCEDURES * DIFFERENT;
    return [
      {
        name: `calls sent by a sweep of 4 arms over ${PROCEDURES} procedures (${calls.sum} calls if no arm shared any, ${seconds.toFixed(1)} s)`,
        value: sent,
        unit: "calls",
        bar: `= ${wanted} different ones of ${PROCEDURES * ALONE}`,
        ok: sent === wanted && calls.unique === wanted && calls.sum === PROCEDURES * ALONE,
      },
      {
        name: "right answers of that sweep",
        value: right,
        unit: "answers",
        bar: `= ${4 * PROCEDURES}`,
        ok: right === 4 * PROCEDURES,
      },
    ];
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** Different videos, so that no two share a call. */
async function makeData(folder: string): Promise<void> {
  await mkdir(join(folder, "videos"), { recursive: true });
  const rows = [];
  for (let p = 0; p < PROCEDURES; p++) {
    const video_file = `video_${p}.mp4`;
    await compose(
      {
        width: 320,
        height: 240,
        fps: 10,
        silent: true,
        segments: COLOURS.flatMap((colour, index) => [
          { kind: "card", text: `Clip ${index + 1}`, size: 0.15, duration_s: 0.6 } as const,
          {
            kind: "picture",
            duration_s: 1,
            picture: (t_s: number) => ({
              background: shade(colour, 90 + 2 * p + 40 * t_s),
              shapes: [],
            }),
          } as const,
        ]),
      },
      join(folder, "videos", video_file),
    );
    const ground_truth = rightOrder(PLACES).map((clip) => clip - 1);
    rows.push({ qid: String(p), goal: `Make dish ${p}`, video_file, ground_truth });
  }
  await writeFile(join(folder, "data.json"), JSON.stringify(rows));
}

function shade(colour: string, value: number): string {
  const part = (name: string) =>
    (colour.includes(name) ? Math.round(value) : 0).toString(16).padStart(2, "0");
  return `#${part("r")}${part("g")}${part("b")}`;
}

async function findCards(data: string, folder: string): Promise<void> {
  const store = await openStore(folder);
  try {
    for (let p = 0; p < PROCEDURES; p++) {
      const work = { store, run: "cards" };
      await findTitleCards(await openVideo(join(data, "videos", `video_${p}.mp4`), work), work);
    }
  } finally {
    await store.close();
    await closeOcr();
  }
}
