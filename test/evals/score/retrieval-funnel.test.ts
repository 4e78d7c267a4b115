import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeReport } from "../../../evals/report/report.ts";
import { startRun } from "../../../evals/run/run.ts";
import type { EvidenceTrail } from "../../../evals/run/run-line.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { call, isSecondLook } from "../../support/agent-film.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/* One film of 40 s with a cue every second; the answer is said from 30 to 31 s. */

let server: ModelServer;
let root: string;
let runs = 0;

const time = (s: number) => `00:00:${String(s).padStart(2, "0")},000`;
const FILLERS = ["rain falls", "boats leave", "gulls cry", "bells ring"];
const said = (s: number) =>
  s === 30
    ? "The captain hid the golden key inside the lighthouse."
    : `At ${s} ${FILLERS[s % 4]} over the harbour.`;

beforeAll(async () => {
  server = await startModelServer(() => "");
  root = await tempFolder();
  await mkdir(join(root, "videos"));
  const film = join(root, "videos", "film.mp4");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "testsrc2=s=64x48:r=2:d=40"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-y", film],
  ]);
  const cues = Array.from({ length: 39 }, (_, s) => `${time(s)} --> ${time(s + 1)}\n${said(s)}\n`);
  await writeFile(join(root, "videos", "film.srt"), cues.join("\n"));
  const row = {
    video: "film.mp4",
    videoType: "Life",
    question: "Where did the captain hide the golden key?",
    options: ["(A) inside the lighthouse", "(B) under the bridge"],
    correctAnswer: "(A)",
    question_idx: 0,
    evidence_s: [[30, 31], 10],
  };
  await writeFile(join(root, "MMR-V.json"), JSON.stringify([row]));
});
afterAll(() => server.close());
beforeEach(() => server.reset());

async function ask(
  settings: { strategy: string; [name: string]: unknown },
  script: Script = () => "[[A]]",
) {
  server.answer(script);
  const folder = join(root, `run-${++runs}`);
  await startRun(
    {
      benchmark: "mmr-v",
      data: root,
      runtime: { base_url: server.url, data: join(root, "store") },
      ...(settings.strategy === "extractive" ? {} : { model: "openai:scripted" }),
      ...settings,
    },
    folder,
  );
  const results = await readResults(folder);
  const [one] = results.said;
  const trail = one?.line?.trail as EvidenceTrail;
  const stages = Object.fromEntries(
    scoreResults(results).retrieval_funnel?.stages.map((of) => [of.stage, of]) ?? [],
  );
  const numbers = (stage: string) => {
    const { recall, precision, iou } = stages[stage] ?? {};
    return [recall, precision, iou].map((mean) => mean?.mean ?? null);
  };
  return { results, trail, stages, numbers };
}

test("direct: the frames that were sent are shown, and nothing is indexed", async () => {
  const { trail, stages, numbers } = await ask({
    strategy: "direct",
    recognition: { frames: 4, max_side: 64, sampler: "midpoints", subtitles: "off" },
  });
  expect(server.requests).toHaveLength(1);
  expect(trail.shown?.frames_s).toHaveLength(server.requests[0]?.images.length ?? 0);
  expect(trail).toMatchObject({ duration_s: 40, indexed: null, retrieved: null });
  expect(Object.keys(stages)).toEqual(["shown", "cited"]);
  // Frames at 5, 15, 25, 35 s cover 2 s each; right are 29.5 to 31.5 s (a second, widened) and 9 to 11 s.
  expect(numbers("shown")).toEqual([0, 0, 0]);
  expect(stages.shown?.even.recall?.mean).toBe(0);
});

test("direct with the video itself: all of it counts as shown", async () => {
  const { trail, numbers } = await ask({
    strategy: "direct",
    recognition: { media: "video", subtitles: "off" },
  });
  expect(server.requests[0]?.images).toEqual([]);
  expect(trail.shown).toEqual({ items: [], frames_s: [], footage_s: [[0, 40]] });
  // All 40 s, 4 of them right; two spans in one part.
  expect(numbers("shown")).toEqual([1, 1, 0.1]);
});

test("rrd: the trail is the evidence in the prompt, and every number follows from it", async () => {
  const { trail, stages, numbers } = await ask({
    strategy: "rrd",
    recognition: { ocr: "off", frames: 4, max_side: 64, subtitles: "retrieved" },
  });
  const [prompt = ""] = server.requests.at(-1)?.texts ?? [];
  const lines = [...prompt.matchAll(/^\[E\d+\] 00:(\d\d) to 00:(\d\d), (\w+) by/gm)];
  expect(lines.length).toBeGreaterThan(3);
  expect(
    trail.shown?.items.map(({ kind, start_s, end_s }) => [kind, start_s, end_s]).sort(),
  ).toEqual(lines.map(([, from, to, kind]) => [kind, Number(from), Number(to)]).sort());
  expect(trail.indexed).toHaveLength(stages.indexed?.items ?? 0);
  expect(trail.indexed?.filter(([from, to]) => to - from === 1)).toHaveLength(39);
  const ids = (items: { id: string }[] | undefined | null) => items?.map(({ id }) => id).sort();
  expect(ids(trail.retrieved)).toEqual(ids(trail.shown?.items));
  expect(trail.shown?.frames_s).toEqual([]);
  expect(trail.recognised_frames_s.length).toBeGreaterThan(0);
  expect(numbers("indexed")[0]).toBe(1);
  expect(trail.cited.map(({ start_s }) => start_s)).toContain(30);
});

test("agent: viewed frames count as shown, and its citations are compared with the right spans", async () => {
  const { trail, stages, numbers, results } = await ask(
    {
      strategy: "agent",
      recognition: { ocr: "off", max_side: 64 },
      search: { tools: "-overview" },
    },
    (request) => {
      if (isSecondLook(request)) return "Verdict: supported";
      if (request.toolResults.length === 0)
        return call("view_frames", { from_s: 29.5, to_s: 31, count: 3 });
      const named = /\[(E\d+)\] subtitle 30 s/.exec(request.texts.join("\n"))?.[1] ?? "E1";
      return call("answer", { answer: "A", evidence: [named] });
    },
  );
  expect(trail.retrieved?.some(({ start_s }) => start_s === 30)).toBe(true);
  expect(trail.shown?.frames_s.filter((t_s) => t_s >= 29.5 && t_s <= 31)).toHaveLength(3);
  expect(trail.cited).toMatchObject([{ kind: "subtitle", start_s: 30, end_s: 31 }]);
  // Cited 29.5 to 31.5 s, right that and 9 to 11 s: one of two spans, 2 of 4 s.
  expect(numbers("cited")).toEqual([0.5, 1, 0.5]);
  expect(stages.cited).toMatchObject({ items: 1, samples: 1 });
  // One even frame is at 20 s.
  expect(stages.cited?.even).toMatchObject({ recall: { mean: 0 }, precision: { mean: 0 } });
  const table = makeReport([results]).parts[0]?.tables.find(
    ({ title }) => title === "Retrieval funnel",
  );
  expect(table?.rows.map(([, stage]) => stage)).toEqual(["indexed", "retrieved", "shown", "cited"]);
});

test("extractive: nothing is shown to a model", async () => {
  const { trail, stages } = await ask({ strategy: "extractive", recognition: { ocr: "off" } });
  expect(server.requests).toEqual([]);
  expect(trail.shown).toBeNull();
  expect(trail.recognised_frames_s).toEqual([]);
  expect(Object.keys(stages)).toEqual(["indexed", "retrieved", "cited"]);
});
