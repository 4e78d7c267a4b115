import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  planGoldAttribution,
  resumeGoldAttribution,
  startGoldAttribution,
} from "../../../evals/attribution/gold-attribution.ts";
import { attributionParts } from "../../../evals/attribution/read-attribution.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import {
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
