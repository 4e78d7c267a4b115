import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { lessons } from "../../evals/datasets/demo/lessons.ts";
import { makeDemoSets } from "../../evals/datasets/demo/make-sets.ts";
import { mcqRow } from "../../evals/datasets/demo/rows.ts";
import { readForReport } from "../../evals/report/input.ts";
import { makeReport } from "../../evals/report/report.ts";
import type { Preset } from "../../evals/sweep/presets/preset.ts";
import { PRESETS } from "../../evals/sweep/presets/presets.ts";
import { readPreset } from "../../evals/sweep/read-preset.ts";
import { startSweep } from "../../evals/sweep/sweep.ts";
import type { Sweep } from "../../evals/sweep/sweep-settings.ts";
import type { Store } from "../../src/core/contracts.ts";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import type { ReportData } from "../../src/pages/report-data.ts";
import { reportJson } from "../../src/pages/report-text.ts";
import { openStore } from "../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { variedModel } from "./preset-model.ts";
import { tempFolder } from "./temp.ts";

/* The presets of the papers on the demo sets, with one store and a scripted model. */

const SCRIPT = fileURLToPath(new URL("check_presets.py", import.meta.url));
const SEED = 7;
const SETS = ["vcrbench", "mmr-v", "videomathqa"] as const;

/** Presets whose tables are those of a paper. */
export const PAPERS: readonly Preset[] = PRESETS.filter(({ name }) =>
  SETS.some((set) => name.startsWith(`${set}-`)),
);

export interface PresetRuns {
  root: string;
  server: ModelServer;
  store: Store;
  /** Address of the server, and the folder of the store. */
  runtime: { base_url: string; data: string };
  /** The data of a preset. */
  dataOf(name: string): string;
  /** The sweep of a preset on its data, with small frames. */
  sweepOf(name: string, over?: object, models?: string[]): Sweep;
  /** Runs a sweep and returns its folder. Fails if a sample or a judgement fails. */
  run(sweep: Sweep, name: string): Promise<string>;
  close(): Promise<void>;
}

/** Makes the first videos of each demo set, and starts the model. */
export async function startPresetRuns(videos: number): Promise<PresetRuns> {
  const root = await tempFolder();
  const sets = await makeDemoSets(join(root, "data"), SEED, { only: (_set, n) => n <= videos });
  const sounding = await withSound(join(root, "sounding"), sets["mmr-v"], videos);
  const graded = await withDifficulty(join(root, "graded"), sets.videomathqa);
  const server = await startModelServer(variedModel(await ordersOf(sets.vcrbench)), {
    keep: "light",
  });
  const store = await openStore(join(root, "store"));
  const runtime = { base_url: server.url, data: join(root, "store") };
  const own: Record<string, string> = {
    "mmr-v-table-4": sounding,
    "videomathqa-figure-5b": graded,
  };
  const dataOf = (name: string) =>
    own[name] ?? sets[SETS.find((set) => name.startsWith(set)) ?? "vcrbench"];
  return {
    root,
    ...{ server, store, runtime },
    dataOf,
    sweepOf(name, over = {}, models = ["openai:one"]) {
      const given = {
        data: dataOf(name),
        limit: videos,
        recognition: { frames: 2, max_side: 48 },
        runtime,
        ...over,
      };
      const isJudged = PAPERS.find((one) => one.name === name)?.judges !== undefined;
      return readPreset(name, given, { models, ...(isJudged ? { judge_model: "openai:j" } : {}) });
    },
    async run(sweep, name) {
      const folder = join(root, name);
      const { runs, judged } = await startSweep(sweep, folder, { store });
      expect(
        runs.map(({ progress }) => progress.errors),
        name,
      ).toEqual(runs.map(() => 0));
      expect(judged.filter(({ failed }) => failed > 0)).toEqual([]);
      return folder;
    },
    async close() {
      await server.close();
      await store.close();
    },
  };
}

/** The same stories with a tone. */
async function withSound(folder: string, stories: string, videos: number): Promise<string> {
  await mkdir(join(folder, "videos"), { recursive: true });
  await cp(join(stories, "questions.json"), join(folder, "questions.json"));
  for (let n = 1; n <= videos; n++) {
    const name = `story_${n}.mp4`;
    await runFfmpeg([
      ...["-i", join(stories, "videos", name), "-f", "lavfi", "-i", "sine=r=8000:d=2"],
      ...["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-y", join(folder, "videos", name)],
    ]);
  }
  return folder;
}

/** The same lessons with a column of the difficulty. */
async function withDifficulty(folder: string, lessonSet: string): Promise<string> {
  await mkdir(folder);
  const rows = lessons(SEED).map((lesson, place) => ({
    ...mcqRow(lesson, place),
    difficulty: ["easy", "medium", "hard"][place % 3],
  }));
  await writeFile(join(folder, "mcq.json"), JSON.stringify(rows));
  await symlink(join(lessonSet, "videos"), join(folder, "videos"));
  return folder;
}

async function ordersOf(folder: string): Promise<Record<string, number[]>> {
  const rows = JSON.parse(await readFile(join(folder, "data.json"), "utf8")) as {
    goal: string;
    ground_truth: number[];
  }[];
  return Object.fromEntries(
    rows.map(({ goal, ground_truth }) => [goal, ground_truth.map((clip) => clip + 1)]),
  );
}

/** Makes the report of sweeps of presets, and fails with the first cells that differ from those of the script. */
export async function expectPresetsRecomputed(folders: readonly string[]): Promise<ReportData> {
  const { results, ...told } = await readForReport(folders, {});
  const data = makeReport(results, told);
  const file = join(await tempFolder(), "report.json");
  await writeFile(file, reportJson(data));
  const lines = (await python(file, ...folders)).trimEnd().split("\n");
  expect(lines.slice(0, -1).slice(0, 20)).toEqual([]);
  expect(lines.at(-1)).toMatch(/^[1-9]\d+ values checked, 0 differ$/);
  return data;
}

function python(...args: string[]): Promise<string> {
  return new Promise((done, failed) =>
    execFile("python3", ["-B", SCRIPT, ...args], (error, out, err) =>
      error !== null && out === "" ? failed(new Error(err || error.message)) : done(out),
    ),
  );
}
