import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  planGoldAttribution,
  resumeGoldAttribution,
  startGoldAttribution,
} from "../../../evals/attribution/gold-attribution.ts";
import { attributionParts } from "../../../evals/attribution/read-attribution.ts";
import { stageReport } from "../../../evals/attribution/stage-report.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import {
  grey,
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, refusal, settingsFor } from "../run/run-fixtures.ts";

/*
 * A world whose accuracy is known for every combination of stages: each question names the rule by which its right letter
 * follows from what the model is shown.
 */

const STAGES = ["captions", "text", "search"] as const;
type Right = Record<(typeof STAGES)[number], boolean>;

const RULES: Record<string, (right: Right) => boolean> = {
  "both captions and text": ({ captions, text }) => captions && text,
  "captions or search": ({ captions, search }) => captions || search,
  "search only": ({ search }) => search,
  "unless text": ({ text }) => !text,
  "search unless text": ({ search, text }) => search && !text,
  never: () => false,
};
/** Each video has half of the rules. */
const VIDEOS = ["red", "blue"];

/** What the model is shown once a stage is right; the distractor is hidden by the right search only. */
const SIGNS = { captions: "a golden caption", text: "golden letters" };
const DISTRACTOR = "something else entirely";

const model = (request: SeenRequest): string => {
  const words = request.texts.join("\n");
  if (request.images.length > 0)
    return words.includes("Write down all that can be read") ? "Text: blurred" : "Part 1: a blur";
  const rule = RULES[/Rule: ([a-z ]+)\./.exec(words)?.[1] ?? ""];
  const right = rule?.({
    captions: words.includes(SIGNS.captions),
    text: words.includes(SIGNS.text),
    search: !words.includes(DISTRACTOR),
  });
  return `Answer: ${right ? "B" : "A"}`;
};

let server: ModelServer;
let store: Store;
let folder: string;
let data: string;
let sidecars: string;

const span = { start_s: 0.5, end_s: 0.9 };

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(model);
  store = await openStore(join(folder, "store"));
  data = join(folder, "questions.jsonl");
  sidecars = join(folder, "sidecars");
  await mkdir(sidecars);
  const rows = [];
  for (const [place, name] of VIDEOS.entries()) {
    await plainVideo(join(folder, `${name}.mp4`), place);
    await writeFile(
      join(folder, `${name}.srt`),
      `1\n00:00:00,000 --> 00:00:00,300\n${DISTRACTOR}\n\n2\n00:00:00,500 --> 00:00:00,900\nmumbled\n`,
    );
    const rules = Object.keys(RULES).filter((_, index) => index % 2 === place);
    const ids = rules.map((rule) => `${name} ${rule}`);
    for (const id of ids)
      rows.push({
        id,
        video: `${name}.mp4`,
        question: `Which one? Rule: ${id.slice(name.length + 1)}.`,
        options: ["no", "yes"],
        answer: "B",
      });
    await writeFile(
      join(sidecars, `${name}.json`),
      JSON.stringify({
        captions: [{ start_s: 0, end_s: 1, text: SIGNS.captions }],
        text: [{ ...span, text: SIGNS.text }],
        evidence_s: Object.fromEntries(ids.map((id) => [id, [[0.5, 0.9]]])),
      }),
    );
  }
  await writeFile(data, rows.map((row) => JSON.stringify(row)).join("\n"));
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(model);
});

const settings = (more: object = {}) => ({
  benchmark: "dataset",
  data,
  ...settingsFor(server.url, store.folder, {
    strategy: "rrd",
    recognition: { frames: 2, max_side: 64, ocr: "model", subtitles: "full" },
    ...more,
  }),
});

/** v(S) of the world. */
const accuracyOf = (mask: number): number => {
  const right = Object.fromEntries(
    STAGES.map((stage, bit) => [stage, (mask & (1 << bit)) !== 0]),
  ) as Right;
  const rules = Object.values(RULES);
  return rules.filter((rule) => rule(right)).length / rules.length;
};
/** Averaged over all orders in which the stages are made right. */
function shapleyOf(stage: number, right = 0): number {
  if (right & (1 << stage)) return 0;
  const open = STAGES.map((_, bit) => bit).filter((bit) => !(right & (1 << bit)));
  return mean(
    open.map((bit) => {
      const next = right | (1 << bit);
      return bit === stage ? accuracyOf(next) - accuracyOf(right) : shapleyOf(stage, next);
    }),
  );
}
const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test("the scores of all combinations are those of the world, and no call is paid twice", {
  timeout: 300_000,
}, async () => {
  const stop = new AbortController();
  server.answer((request) => {
    if (server.chats().length === 14) stop.abort();
    return model(request);
  });
  const out = join(folder, "attribution");
  const stopped = startGoldAttribution(
    settings(),
    out,
    { sidecars },
    { store, signal: stop.signal },
  );
  await expect(stopped).rejects.toMatchObject({
    kind: "cancelled",
    message: expect.stringContaining(`attribute --resume ${out}`),
  });
  server.answer(model);
  const found = await resumeGoldAttribution(out, {}, { store });

  expect(found.table.stages).toEqual(STAGES);
  expect(found.table.arms.map(mean)).toEqual(found.table.arms.map((_, mask) => accuracyOf(mask)));
  const { stages, not_attributed } = found.attribution;
  for (const [place, { value }] of stages.entries())
    expect(value.mean).toBeCloseTo(shapleyOf(place), 12);
  expect(stages.map(({ value }) => Math.sign(value.mean))).toEqual([1, -1, 1]);
  expect(not_attributed.mean).toBeCloseTo(1 - accuracyOf(7), 12);
  const printed = (await attributionParts([out]))[0]?.tables[0]?.rows;
  expect(
    printed?.map(([name, , value]) => [name, Number(/^[+-]?[\d.]+/.exec(value ?? "")?.[0])]),
  ).toEqual(
    [
      ...STAGES.map((name, place) => [name, shapleyOf(place)] as const),
      ["all stages", accuracyOf(7) - accuracyOf(0)] as const,
      ["not attributed", 1 - accuracyOf(7)] as const,
    ].map(([name, share]) => [name, Number((100 * share).toFixed(2))]),
  );
  expect(new Set(found.table.clusters)).toEqual(new Set(VIDEOS.map((name) => `${name}.mp4`)));
  expect(found).toMatchObject({ failed: [], relative_to: null, without_gold: [] });
  expect(found.runs[0]).toBe("1-recognised");
  expect(found.runs[3]).toMatch(/-gold-captions\+text$/);

  // Recognition once for each video, and one answer for each distinct prompt.
  const sent = server.chats().map(({ images, texts }) => `${images.length} ${texts.join("\n")}`);
  const answers = sent.filter((words) => words.startsWith("0 "));
  // Only calls in flight when it was stopped are sent again.
  expect(answers.length - new Set(answers).size).toBeLessThanOrEqual(4);
  expect(answers.length).toBeLessThanOrEqual(6 * 8 + 4);
  expect(sent.length - answers.length).toBeLessThanOrEqual(2 * VIDEOS.length + 8);
  server.reset();
  server.answer(model);
  expect(await resumeGoldAttribution(out, {}, { store })).toEqual(found);
  expect(server.chats()).toHaveLength(0);
});

test("a budget that gold does not reach is no effect of a stage: its samples are left out of every combination", async () => {
  // Recognition of the blue video, which is the brighter one, leaves no tokens for the answer.
  server.answer(async (request) => {
    const [picture] = request.images;
    const input = picture !== undefined && (await shadeOf(picture)) > 50 ? 100_000 : 100;
    return { text: model(request), usage: { input, output: 10 } };
  });
  const limited = settings({
    budget: { tokens: 50_000 },
    recognition: { frames: 2, max_side: 64, ocr: "off", subtitles: "off" },
    reasoning: { temperature: 0.3 },
  });
  const out = join(folder, "budget");
  const sources = { sidecars, stages: ["captions"] as const };
  const found = await startGoldAttribution(limited, out, sources, { store });
  const isBlue = (id: string) => id.startsWith("blue");
  expect(found.stopped.map(({ sample, run, by }) => [isBlue(sample), run, by])).toEqual(
    Array.from({ length: 3 }, () => [true, "1-recognised", "tokens"]),
  );
  expect(found).toMatchObject({ failed: [] });
  expect(found.table.samples).toHaveLength(3);
  expect(found.table.samples.some(isBlue)).toBe(false);
  const warning = expect.stringMatching(
    /^3 samples were stopped by a budget \(tokens\) and are in no figure, such as .* in 1-recognised\. Start/,
  );
  expect(stageReport(found).parts[0]?.warnings).toContainEqual(warning);
  expect((await attributionParts([out]))[0]?.warnings).toContainEqual(warning);
  const quiet = { frames: 2, max_side: 64, ocr: "off", subtitles: "off" };
  const none = settings({ budget: { calls: 1 }, recognition: quiet });
  const refused = startGoldAttribution(none, join(folder, "none"), sources, { store });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringMatching(
      /A budget stopped 6 \(calls\), such as .* in 1-recognised: start/,
    ),
    facts: { failed: 0, stopped: { calls: 6 } },
  });
});

/** Brightness of a corner of a frame, which has the shade of its video. */
async function shadeOf(image: Buffer): Promise<number> {
  return grey(await sharp(image).extract({ left: 0, top: 0, width: 8, height: 8 }).toBuffer());
}

test("answers that a budget left with less evidence are counted", async () => {
  // The only call goes to the answer, which reads subtitles.
  const out = join(folder, "less");
  const sources = { sidecars, stages: ["captions"] as const };
  const found = await startGoldAttribution(settings({ budget: { calls: 1 } }), out, sources, {
    store,
  });
  expect(found).toMatchObject({ stopped: [], at_limit: 6 });
  const warning = expect.stringMatching(/^6 samples reached a budget in one of the runs and still/);
  expect((await attributionParts([out]))[0]?.warnings).toContainEqual(warning);
});

test("runs and grades share one total cost limit, also after a resume", async () => {
  // More than is reserved for a call.
  const EACH = 0.04;
  const graded: string[] = [];
  const billed = (request: SeenRequest) => {
    const isGrade = request.model === "judge";
    if (isGrade) graded.push(request.hash);
    const text = isGrade ? JSON.stringify({ reason: "As asked.", grade: 1 }) : model(request);
    return { text, usage: { input: 4000, output: 0 } };
  };
  server.answer(billed);
  const open = join(folder, "open.jsonl");
  const rows = [1, 2, 3].map((n) => ({
    ...{ id: `red open ${n}`, video: "red.mp4", question: `Which one is ${n}?`, answer: "B" },
  }));
  await writeFile(open, rows.map((row) => JSON.stringify(row)).join("\n"));
  const captions = join(folder, "captions");
  await mkdir(captions);
  const gold = { captions: [{ start_s: 0, end_s: 1, text: SIGNS.captions }] };
  await writeFile(join(captions, "red.json"), JSON.stringify(gold));
  const prices = join(folder, "prices.yaml");
  await writeFile(
    prices,
    '"openai:scripted": { input: 10, output: 0 }\n"openai:judge": { input: 10, output: 0 }\n',
  );
  const asked = (data: string, total_cost_limit: number | null) => {
    const base = settings({
      recognition: { frames: 2, max_side: 64, ocr: "off", subtitles: "off" },
    });
    return {
      ...{ ...base, data: open, scorer: ["open=judged"], judge_model: "openai:judge" },
      total_cost_limit,
      // Replies that another store holds are asked and paid for again.
      runtime: { ...base.runtime, data: join(folder, data), prices, max_connections: 1 },
    };
  };
  const sources = { sidecars: captions };
  const whole = await startGoldAttribution(asked("store-a", null), join(folder, "graded"), sources);
  const calls = server.chats().length;
  const grades = graded.length;
  expect(grades).toBeGreaterThan(2);
  server.reset();
  server.answer(billed);
  graded.length = 0;
  const out = join(folder, "limited");
  // Enough for the runs, and for two of their grades.
  const affordable = calls - grades + 2;
  const limit = affordable * EACH;
  const stopped = {
    kind: "limit-met",
    message: expect.stringMatching(/^The attribution stopped at .*`attribute --resume .*limited/),
    facts: { limit },
  };
  const started = startGoldAttribution(asked("store-b", limit), out, sources);
  await expect(started).rejects.toMatchObject(stopped);
  const sent = server.chats().length;
  expect([affordable, affordable + 1]).toContain(sent);
  expect(graded).toHaveLength(sent - calls + grades);
  const paid = { limit, paid: expect.closeTo(sent * EACH, 10) };
  await expect(resumeGoldAttribution(out)).rejects.toMatchObject({ ...stopped, facts: paid });
  expect(server.chats()).toHaveLength(sent);
  const more = { total_cost_limit: 2 * calls * EACH };
  const found = await resumeGoldAttribution(out, more);
  expect(found.table).toEqual(whole.table);
  expect([server.chats().length, graded.length]).toEqual([calls, grades]);
});

test("what has no gold, or is not read, is refused with what to do", async () => {
  const refused = (sources: object, more: object = {}) =>
    refusal(planGoldAttribution(settings(more), sources, {}));
  expect((await refused({})).message).toMatch(
    /the data of Own data have no step names.*--gold FOLDER.*--oracle-model/,
  );
  expect((await refused({ sidecars }, { strategy: "direct", recognition: {} })).message).toMatch(
    /direct .* does not reason over recognised evidence.*--strategy/,
  );
  const quiet = { recognition: { subtitles: "off", ocr: "off" } };
  expect((await refused({ sidecars, stages: ["speech"] }, quiet)).message).toMatch(
    /Invalid --stages speech: .* rrd does not read speech .* It reads captions, search\./,
  );
  expect(server.chats()).toHaveLength(0);
});
