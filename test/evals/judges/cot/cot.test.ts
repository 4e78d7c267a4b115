import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { COT_LABELS, PIECES } from "../../../../evals/judges/cot/cot.ts";
import type { CotSummary } from "../../../../evals/judges/cot/summary.ts";
import { judgeResults } from "../../../../evals/judges/judge-run.ts";
import type { JudgeInput } from "../../../../evals/judges/judge-settings.ts";
import { summarise } from "../../../../evals/judges/summary.ts";
import { readForReport } from "../../../../evals/report/input.ts";
import { makeReport } from "../../../../evals/report/report.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { renderJudging } from "../../../../src/app/cli/render/judging.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { reportPage } from "../../../../src/pages/report.ts";
import { reportMarkdown } from "../../../../src/pages/report-text.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { openVideo } from "../../../../tools/video/video.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../../support/model-server.ts";
import { tempFolder } from "../../../support/temp.ts";
import { makeRun } from "../../run/made-runs.ts";
import { plainVideo } from "../../run/run-fixtures.ts";
import { hasty, isRepair, mmrSample, wordsOf } from "../judged-runs.ts";

let server: ModelServer;
let store: Store;
let data: string;

beforeAll(async () => {
  server = await startModelServer(labels);
  store = await openStore(join(await tempFolder(), "store"));
  data = await tempFolder();
  await mkdir(join(data, "videos"));
  await plainVideo(join(data, "videos", "m1.mp4"), 1);
  await plainVideo(join(data, "videos", "m2.mp4"), 4);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

/** Ten characters for each piece, which says what it does, and its place. */
const cot = (...does: string[]) =>
  does.map((words, place) => `${words.padEnd(9, ".")}${place}`).join("");
const REPLIES = {
  m1: cot("quest", "quest", "other", "other", "video", "text", "text", "text", "text", "[[B]]"),
  m2: cot("quest", "text", "text", "text", "text", "text", "text", "text", "text", "[[A]]"),
  m3: cot("text", "text", "text", "text", "text", "text", "text", "text", "bad", "[[C]]"),
};

function pieceOf(request: SeenRequest): string {
  return /The piece to be judged:\n<<<data\n(.*)\ndata>>>/.exec(wordsOf(request))?.[1] ?? "?";
}

function labels(request: SeenRequest): string {
  const piece = pieceOf(request);
  if (piece.startsWith("bad")) return "It thinks.";
  return JSON.stringify({
    question_frame_desc: piece.startsWith("quest"),
    other_frame_desc: piece.startsWith("other"),
    video_analysis: /^(other|video)/.test(piece),
    text_analysis: /^(text|\[\[)/.test(piece),
  });
}

async function cotRun(): Promise<string> {
  return makeRun(join(await tempFolder(), "thinker"), {
    benchmark: "mmr-v",
    settings: { strategy: "direct", model: "openai:answerer" },
    samples: [...["m1", "m2", "m3"].map((id) => mmrSample(id)), mmrSample("short", "m1.mp4")],
    replies: { ...REPLIES, short: "[[B]]" },
    header: {
      data: { folder: data, files: [], hash: "h", subset: "mcq", samples: 4, notes: [] },
    },
  });
}

async function judge(folder: string, more: Partial<JudgeInput> = {}, signal?: AbortSignal) {
  const results = await readResults(folder);
  const settings = {
    runtime: { base_url: server.url },
    recognition: { frames: 3, max_side: 64 },
  };
  const judging = await judgeResults(
    results,
    { kind: "cot", judge_model: "openai:scripted", settings, ...more },
    { folder, store, createModels: hasty, ...(signal === undefined ? {} : { signal }) },
  );
  return summarise(results, judging, { extractor: "official" }) as CotSummary;
}

test("each tenth is judged separately, with the frames, the question and the whole text", async () => {
  const summary = await judge(await cotRun());
  const first = server.chats().filter((request) => !isRepair(request));
  expect(first).toHaveLength(3 * PIECES);
  for (const request of first) {
    const words = wordsOf(request);
    const [id] = /m\d/.exec(words) ?? [];
    expect(words).toContain(`<<<data\n${REPLIES[id as keyof typeof REPLIES]}\ndata>>>`);
    expect(words).toContain("(B) a father");
    // The third video is missing: only the text is judged, and this is counted.
    expect(request.images).toHaveLength(id === "m3" ? 0 : 3);
  }
  expect(summary).toMatchObject({
    ...{ replies: 3, judged: 29, not_judged: 1, repaired: 0, failed: 0, without_frames: 1 },
    usage: { calls: 31, frames: 60 },
  });
  expect(summary.left_out).toEqual([
    { what: "replies too short to be cut into 10", count: 1, examples: ["short"] },
  ]);
  const shares = (label: keyof typeof COT_LABELS) =>
    summary.positions.map(({ shares: of }) => Number(of[label]?.mean.toFixed(3)));
  const third = 0.333;
  expect(shares("question_frame_desc")).toEqual([0.667, third, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(shares("other_frame_desc")).toEqual([0, 0, third, third, 0, 0, 0, 0, 0, 0]);
  expect(shares("video_analysis")).toEqual([0, 0, third, third, third, 0, 0, 0, 0, 0]);
  expect(shares("text_analysis")).toEqual([third, 0.667, 0.667, 0.667, 0.667, 1, 1, 1, 1, 1]);
  const counts = summary.positions.map(({ judged, not_judged }) => [judged, not_judged]);
  expect(counts[8]).toEqual([2, 1]);
  expect(counts.filter(([judged]) => judged === 3)).toHaveLength(9);
  expect(JSON.parse(JSON.stringify(summary)).positions).toHaveLength(10);
});

test("no frames are sent if none are wanted or the videos are missing", async () => {
  const folder = await cotRun();
  const told = await judge(folder, { text_only: true });
  expect(server.chats().every((request) => request.images.length === 0)).toBe(true);
  expect(told).toMatchObject({ without_frames: 3 });
});

test("calls of a judge respect the connection limit, have a price, and are billed once per store", async () => {
  const prices = join(await tempFolder(), "prices.yaml");
  await writeFile(prices, '"openai:priced": { input: 100, output: 1000 }\n');
  server.answer((request) => ({
    text: labels(request),
    delay_ms: 20,
    usage: { input: 50, output: 7 },
  }));
  const settings = {
    runtime: { base_url: server.url, prices, max_connections: 2 },
    recognition: { frames: 3, max_side: 64 },
  };
  const first = await judge(await cotRun(), { judge_model: "openai:priced", settings });
  expect(server.maxInFlight()).toBe(2);
  const dollars = (31 * (50 * 100 + 7 * 1000)) / 1e6;
  expect(first.usage).toMatchObject({ calls: 31, input: 31 * 50, output: 31 * 7 });
  expect(first.usage.cost).toBeCloseTo(dollars, 12);
  expect(first.usage.paid).toBeCloseTo(dollars, 12);
  server.reset();
  const again = await judge(await cotRun(), { judge_model: "openai:priced", settings });
  expect(server.chats()).toHaveLength(0);
  expect(again.positions).toEqual(first.positions);
  expect([again.usage.cost, again.usage.paid]).toEqual([first.usage.cost, 0]);
  server.answer(labels);
});

test("what interrupted judgements paid is in the total, and replies paid before are not paid again", async () => {
  const prices = join(await tempFolder(), "prices.yaml");
  await writeFile(prices, '"openai:halting": { input: 100, output: 1000 }\n');
  const folder = await cotRun();
  const settings = {
    runtime: { base_url: server.url, prices, max_connections: 1 },
    recognition: { frames: 3, max_side: 64 },
  };
  const input = { judge_model: "openai:halting", settings };
  const usage = { input: 50, output: 7 };
  let sent = 0;
  for (const most of [5, 17]) {
    const stop = new AbortController();
    server.answer((request) => {
      // The call that is interrupted gets no reply, and none is paid for.
      if (sent === most) stop.abort();
      return sent++ === most ? { text: "", delay_ms: 1000 } : { text: labels(request), usage };
    });
    await expect(judge(folder, input, stop.signal)).rejects.toMatchObject({ kind: "cancelled" });
    sent--;
  }
  server.answer((request) => ({ text: labels(request), usage }));
  const whole = await judge(folder, input);
  expect(whole.usage.calls).toBe(31);
  expect(whole.usage.paid).toBeCloseTo((31 * (50 * 100 + 7 * 1000)) / 1e6, 12);
  expect(renderJudging(whole)).toContain("31 calls, $0.3720\n");
  server.answer(labels);
});

test("an undecodable video is an error of its reply", async () => {
  const folder = await cotRun();
  const results = await readResults(folder);
  const elsewhere = await tempFolder();
  await mkdir(join(elsewhere, "videos"));
  await plainVideo(join(elsewhere, "videos", "m1.mp4"), 2);
  await writeFile(join(elsewhere, "videos", "m2.mp4"), "no video at all");
  const settings = { runtime: { base_url: server.url }, recognition: { frames: 2, max_side: 64 } };
  const judging = await judgeResults(
    results,
    { kind: "cot", judge_model: "openai:scripted", settings },
    { folder, data: elsewhere, store, createModels: hasty },
  );
  const failed = judging.lines.filter((line) => line.error !== undefined);
  expect(failed.map(({ of, error }) => [of.sample, error?.kind])).toEqual([["m2", "not-media"]]);
  await rm(elsewhere, { recursive: true });
});

test("forgetting a video removes the judgements about it", async () => {
  const folder = await cotRun();
  await judge(folder);
  server.reset();
  const { hash } = await openVideo(join(data, "videos", "m1.mp4"), { store, run: "test" });
  await store.forget(hash);
  await rm(join(folder, "judgements"), { recursive: true });
  await judge(folder);
  expect(server.chats()).toHaveLength(PIECES);
  expect(server.chats().every((request) => wordsOf(request).includes("coat in m1"))).toBe(true);
});

test("the report draws four lines over ten positions, and counts what was not judged", async () => {
  const folder = await cotRun();
  const summary = await judge(folder);
  const { results } = await readForReport([folder], {});
  const data = makeReport(results);
  const [part] = data.parts;
  const plot = part?.plots.find(({ title }) => title.startsWith("What the chains of thought"));
  expect(plot).toMatchObject({ kind: "line", chance: null });
  expect(plot?.series.map(({ name }) => name)).toEqual(Object.values(COT_LABELS));
  for (const [index, label] of (Object.keys(COT_LABELS) as (keyof typeof COT_LABELS)[]).entries())
    expect(plot?.series[index]?.points.map(({ x, y }) => [x, y])).toEqual(
      summary.positions.map(({ piece, shares }) => [piece, shares[label]?.mean]),
    );
  expect(part?.warnings).toContain(
    "thinker, cot by openai:scripted: 1 of 30 not judged; 1 judged without frames of the video.",
  );
  expect(part?.warnings).toContain(
    "thinker was judged (cot) by a scripted model: ignore the judgements.",
  );
  const html = reportPage(data);
  const figure = html.slice(html.indexOf("What the chains of thought of thinker do as they go on"));
  expect(figure.match(/<polyline/g)?.length).toBeGreaterThanOrEqual(4);
  expect(reportMarkdown(data)).toContain("| 9 | 0.00 \\[0.00, 98.78\\] |");
});

test("a run without judgements has no such section", async () => {
  const { results } = await readForReport([await cotRun()], {});
  expect(JSON.stringify(makeReport(results))).not.toMatch(/judge/i);
});
