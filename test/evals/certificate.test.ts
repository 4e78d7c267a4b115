import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { benchmarkNamed } from "../../evals/benchmarks/define-benchmark.ts";
import type { Aspect, CertificateFacts, Verdict } from "../../evals/benchmarks/protocols/aspect.ts";
import {
  type Certificate,
  certify,
  deviationsIn,
  reservationsIn,
} from "../../evals/certificate/certificate.ts";
import { certifyResults } from "../../evals/certificate/certify-results.ts";
import { readEvalSettings } from "../../evals/run/eval-settings.ts";
import { planRun } from "../../evals/run/plan-run.ts";
import { startRun } from "../../evals/run/run.ts";
import type { EvalHeader } from "../../evals/run/run-header.ts";
import { withExtractor } from "../../evals/score/extractor-choice.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { scoreJson, scoreResults } from "../../evals/score/score-run.ts";
import type { Store } from "../../src/core/contracts.ts";
import { openStore } from "../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";
import { mathSample } from "./judges/judged-runs.ts";
import { type MadeRun, makeRun } from "./run/made-runs.ts";
import { knowing, mathData, mmrData, settingsFor } from "./run/run-fixtures.ts";

let server: ModelServer;
let store: Store;
let data: string;
let root: string;

beforeAll(async () => {
  root = await tempFolder();
  server = await startModelServer(knowing);
  store = await openStore(join(root, "store"));
  data = await mmrData(1, 2);
});
afterAll(async () => {
  await server.close();
  await store.close();
});

const aspect = ({ aspects }: Certificate, name: string) =>
  aspects.find((one) => one.aspect === name) as Aspect;

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await tempFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

function planned(prompts: string | null) {
  const settings = settingsFor(server.url, store.folder, { model: "openai:gpt-4o" });
  const runtime = { ...settings.runtime, prompts };
  return planRun({ ...settings, benchmark: "mmr-v", data, protocol: "official", runtime });
}

describe("prompts count only if they are sent", () => {
  test("replacing a prompt that the run never sends changes nothing", async () => {
    const own = await planned(null);
    const other = await planned(
      await folderOf({
        "rrd/compare.md": "{{goal}} {{a}} {{b}}",
        "mmr-v/direct-cot.md": "{{question}} {{options}}",
      }),
    );
    expect(aspect(own.certificate, "prompt mmr-v/direct").verdict).toBe("different");
    expect(other.certificate).toEqual(own.certificate);
    expect(other.deviations).toEqual(own.deviations);
  });

  test("a replaced prompt that is sent is compared only by its wording", async () => {
    const plan = await planned(await folderOf({ "mmr-v/direct.md": "{{question}} {{options}}" }));
    const found = aspect(plan.certificate, "prompt mmr-v/direct");
    expect(found).toMatchObject({ verdict: "different", source: expect.stringContaining("MMR-V") });
    expect(found.got).not.toBe(
      aspect((await planned(null)).certificate, "prompt mmr-v/direct").got,
    );
  });
});

test("a run stores its certificate, and a score has the one of its results", async () => {
  const folder = join(root, "run");
  const input = { benchmark: "mmr-v", data, ...settingsFor(server.url, store.folder) };
  const { header } = await startRun(input, folder, { store });
  expect(header.certificate).toMatchObject({
    model: { asked: "openai:scripted", published: null },
    comparable: false,
  });
  const results = await readResults(folder);
  const certificateOf = (extractor: string) => {
    const { video_rrd } = scoreJson(scoreResults(results, extractor));
    return (video_rrd as { certificate: Certificate }).certificate;
  };
  // No script was released for this model.
  expect(aspect(certificateOf("official"), "extractor").verdict).toBe("not certifiable");
  expect(aspect(certificateOf("sound"), "extractor")).toMatchObject({
    wanted: "official",
    got: "sound",
    verdict: "different",
  });
  expect(aspect(certificateOf("official"), "missing results").verdict).toBe("equal");
  expect(aspect(certificateOf("official"), "questions")).toMatchObject({
    wanted: 1257,
    got: 2,
    verdict: "different",
  });
  expect(aspect(certificateOf("official"), "answered by").got).toBe("openai:scripted");
});

test("the protocol's settings of video and decoding reach the model", async () => {
  server.reset();
  server.answer(() => "A");
  const runtime = settingsFor(server.url, store.folder).runtime;
  const input = {
    benchmark: "videomathqa",
    data: await mathData(1),
    strategy: "direct",
    model: "openai:Qwen/Qwen2.5-VL-7B-Instruct",
    protocol: "official",
    runtime,
  };
  const { header } = await startRun(input, join(root, "official"), { store });
  const [request] = server.chats();
  expect(request?.parts.map(({ type }) => type)).toEqual(["video", "text"]);
  expect(request?.body).toMatchObject({
    max_tokens: 16,
    temperature: 0,
    media_io_kwargs: { video: { num_frames: 768 } },
  });
  expect(aspect(header.certificate as Certificate, "frames")).toMatchObject({
    wanted: 768,
    got: 768,
    verdict: "equal",
  });
  expect(header.protocol?.deviations).toContainEqual(expect.stringMatching(/^questions: 1, /));
});

const IN_ORDER = ["question", "option_list"];
const RELEASED = "a0532f11e1aad31379a19e51880d87be36d74bd6ff100384b56d4c31227b80ee";

type Given = Partial<CertificateFacts> & { input?: object };

function certificateOf(more: Given = {}): Certificate {
  const { input, ...rest } = more;
  const asked = readEvalSettings({
    benchmark: "mmr-v",
    data: "x",
    protocol: "official",
    strategy: "direct",
    model: "openai:gpt-4o-2024-11-20",
    ...input,
  });
  return certify(benchmarkNamed(asked.benchmark), {
    ...asked,
    data: { hash: "h" },
    questions: 1257,
    wordings: { "mmr-v/direct": { sha256: RELEASED, quoted: [], variables: IN_ORDER } },
    replaced: ["mmr-v/direct"],
    extractor: "official",
    ...rest,
  });
}

describe("verdicts", () => {
  test("a run with the released prompt can be listed, with the aspects that are not certifiable", () => {
    const certificate = certificateOf();
    expect(certificate.comparable).toBe(true);
    expect(aspect(certificate, "prompt mmr-v/direct").verdict).toBe("equal");
    expect(aspect(certificate, "data").verdict).toBe("not certifiable");
    expect(reservationsIn(certificate)).toContainEqual(expect.stringMatching(/^temperature: /));
  });

  test("the released words with marks around data are another prompt", () => {
    const wordings = { "mmr-v/direct": { sha256: RELEASED, quoted: ["options"] } };
    const found = aspect(certificateOf({ wordings }), "prompt mmr-v/direct");
    expect(found).toMatchObject({ verdict: "different", note: expect.stringContaining("options") });
  });

  const OF_QWEN = "eef201118f68ef7591d2f6557523a3edd23a2b9f9661830e3a5a7f3aa0605cbd";
  test.each([
    ["openai:Qwen2.5-VL-72B-Instruct", OF_QWEN, "equal"],
    ["openai:Qwen2.5-VL-72B-Instruct", RELEASED, "different"],
    ["openai:gemma-3-27b-it", RELEASED, "equal"],
    ["openai:gemma-3-27b-it", OF_QWEN, "different"],
    // Its script was not released; the general one counts.
    ["openai:gpt-4o-2024-11-20", RELEASED, "equal"],
    ["openai:gpt-4o-2024-11-20", OF_QWEN, "different"],
    // It is not in the table, so any of them may be the right one.
    ["openai:some-model", OF_QWEN, "equal"],
  ])("%s is asked with the text of its own script: %s is %s", (model, sha256, verdict) => {
    const wordings = { "mmr-v/direct": { sha256, quoted: [], variables: IN_ORDER } };
    const certificate = certificateOf({ input: { model }, wordings });
    const found = aspect(certificate, "prompt mmr-v/direct");
    expect(found.verdict).toBe(verdict);
    const listed = deviationsIn(certificate).filter((one) => one.startsWith("prompt mmr-v/direct"));
    expect(listed.length).toBe(verdict === "different" ? 1 : 0);
    if (verdict === "different") {
      expect(certificate.comparable).toBe(false);
      expect(found.note).toContain("another model's script");
      expect(found.wanted).toBe(sha256 === OF_QWEN ? RELEASED : OF_QWEN);
    }
  });

  test.each<[variables: string[] | undefined, Verdict, note: string | null]>([
    [IN_ORDER, "equal", null],
    [["option_list", "question"], "different", "inserts {{option_list}}, {{question}} where"],
    [["question", "question"], "different", "inserts {{question}}, {{question}} where"],
    // The released code sends the options as a Python list.
    [["question", "options"], "different", "inserts {{question}}, {{options}} where"],
    [["question"], "different", "inserts {{question}} where"],
    [[], "different", "inserts nothing where"],
    [undefined, "not certifiable", "did not record"],
  ])("the released words with the variables %j are %s", (variables, verdict, note) => {
    const wordings = { "mmr-v/direct": { sha256: RELEASED, quoted: [], variables } };
    expect(aspect(certificateOf({ wordings }), "prompt mmr-v/direct")).toMatchObject({
      verdict,
      note: note === null ? null : expect.stringContaining(note),
    });
  });

  test("pairwise RRD has no released text, so its prompt is never equal", () => {
    const certificate = certificateOf({
      input: {
        benchmark: "vcrbench",
        strategy: "rrd",
        model: "openai:Qwen2.5-VL-72B-Instruct",
        reasoning: { method: "merge-sort" },
      },
      wordings: { "rrd/compare": { sha256: RELEASED, quoted: [] } },
    });
    expect(aspect(certificate, "prompt rrd/compare")).toMatchObject({
      wanted: null,
      verdict: "not certifiable",
    });
    expect(aspect(certificate, "reasoning method").verdict).toBe("equal");
  });

  test.each<[reasoning: string, recognition: object, got: string, verdict: Verdict]>([
    ["all-at-once", {}, "verbatim", "equal"],
    ["all-at-once", { replies: "by-clip" }, "by-clip", "different"],
    ["all-at-once", { input: "clip" }, "by-clip", "different"],
    ["all-at-once", { segments: "cards" }, "clips found by their title cards", "different"],
    ["all-at-once", { segments: "cards", mode: "all-at-once" }, "verbatim", "equal"],
    ["merge-sort", {}, "by-clip", "not certifiable"],
  ])("the recogniser's replies with %s and %j are %s: %s", (method, recognition, got, verdict) => {
    const certificate = certificateOf({
      input: {
        ...{ benchmark: "vcrbench", strategy: "rrd", model: "openai:Qwen2.5-VL-72B-Instruct" },
        ...{ reasoning: { method }, recognition },
      },
    });
    expect(aspect(certificate, "replies of the recogniser")).toMatchObject({ got, verdict });
  });

  const COT = {
    benchmark: "videomathqa",
    model: "openai:Qwen/Qwen2.5-VL-7B-Instruct",
    reasoning: { cot: true },
  };

  test("the reader of VideoMathQA's chains of thought is a model, compared by name", () => {
    const verdicts = (extractor: string, extractorModel: string | null) => {
      const certificate = certificateOf({ input: COT, extractor, extractorModel });
      return ["extractor", "extractor model"].map((name) => aspect(certificate, name).verdict);
    };
    expect(verdicts("model-letter", "openai:Qwen/Qwen3-4B")).toEqual(["equal", "equal"]);
    expect(verdicts("model-letter", "openai:gpt-4o")).toEqual(["equal", "different"]);
    expect(verdicts("sound", null)).toEqual(["different", "not certifiable"]);
  });

  test.each<[model: string, Verdict, note: string | null]>([
    ["openai:Qwen/Qwen3-4B", "equal", null],
    ["openai:qwen3-4b", "equal", null],
    ["openai:Qwen/Qwen3-4B-AWQ", "different", "the weights are quantised (awq)"],
    ["openai:Qwen/Qwen3-4B-FP8", "different", "the weights are quantised (fp8)"],
    ["openai:Qwen/Qwen3-8B", "different", null],
    ["openai:someone/Qwen3-4B", "not certifiable", "weights of another organisation or folder"],
  ])("the weights of the extractor %s are %s", (extractorModel, verdict, note) => {
    const certificate = certificateOf({ input: COT, extractor: "model-letter", extractorModel });
    expect(aspect(certificate, "extractor model")).toMatchObject({ verdict, note });
  });

  test.each<[temperature: number | null, max_tokens: number | null, Verdict, Verdict]>([
    [0.7, 16, "equal", "equal"],
    [0, 16, "different", "equal"],
    [0.7, 64, "equal", "different"],
    [null, null, "not certifiable", "not certifiable"],
  ])(
    "the extractor's temperature %s and new tokens %s are compared",
    (temperature, max_tokens, ...verdicts) => {
      const certificate = certificateOf({
        input: COT,
        extractor: "model-letter",
        extractorModel: "openai:Qwen/Qwen3-4B",
        extractorDecoding: { temperature, max_tokens },
      });
      const found = ["extractor temperature", "extractor new tokens"].map((name) =>
        aspect(certificate, name),
      );
      expect(found.map(({ verdict }) => verdict)).toEqual(verdicts);
      expect(found.map(({ wanted }) => wanted)).toEqual([0.7, 16]);
      for (const [name, wanted] of Object.entries({ top_p: 0.8, top_k: 20 }))
        expect(aspect(certificate, `extractor ${name}`)).toMatchObject({
          wanted,
          got: null,
          verdict: "not certifiable",
        });
      // Only stored letters say whether the model was asked to think.
      expect(aspect(certificate, "extractor thinking").verdict).toBe("not certifiable");
    },
  );

  /** The certificate of a run whose letters were named with each of these settings. */
  async function certificateOfLetters(generations: object[]): Promise<Certificate> {
    const { benchmark, ...settings } = COT;
    const folder = await makeRun(join(await tempFolder(), "run"), {
      benchmark: "videomathqa",
      settings: { strategy: "direct", ...settings },
      samples: [mathSample("one")],
      replies: { one: "So it is C." },
    });
    const extractor_model = "openai:Qwen/Qwen3-4B";
    const results = withExtractor(await readResults(folder), { extractor_model });
    const judgings = generations.map((generation) => ({
      folder,
      lines: [],
      paid: 0,
      header: {
        ...{ kind: "letter", judge: extractor_model, benchmark, text_only: true },
        ...{ run: "r", format: 1, status: "finished" as const, created_at: "", prompts: {} },
        settings: { reasoning: { temperature: 0.7, max_tokens: 16 }, generation },
      },
    }));
    return certifyResults({ ...results, judgings }).certificate as Certificate;
  }

  test.each<[budgets: (number | null)[], Verdict]>([
    [[0], "equal"],
    [[512], "different"],
    [[-1], "different"],
    [[null], "not certifiable"],
    [[0, 512], "not certifiable"],
    [[], "not certifiable"],
  ])("letters named with the thinking budgets %j: thinking is %s", async (budgets, verdict) => {
    const certificate = await certificateOfLetters(
      budgets.map((thinking_budget) => ({ thinking_budget })),
    );
    expect(aspect(certificate, "extractor thinking")).toMatchObject({ wanted: false, verdict });
  });

  test.each<[generations: object[], top_p: Verdict, top_k: Verdict]>([
    [[{ top_p: 0.8, top_k: 20 }], "equal", "equal"],
    [[{ top_p: 0.5, top_k: 20 }], "different", "equal"],
    [[{ top_p: 0.8, top_k: null }], "equal", "not certifiable"],
    [[{ top_p: 0.8 }, { top_p: 0.5 }], "not certifiable", "not certifiable"],
  ])("letters named with %j: top_p is %s, top_k %s", async (generations, ...verdicts) => {
    const certificate = await certificateOfLetters(generations);
    const found = ["top_p", "top_k"].map((name) => aspect(certificate, `extractor ${name}`));
    expect(found.map(({ wanted }) => wanted)).toEqual([0.8, 20]);
    expect(found.map(({ verdict }) => verdict)).toEqual(verdicts);
  });

  test("failed results, and evidence of another run, are named", async () => {
    const { benchmark, ...settings } = COT;
    const samples = ["one", "two", "three"].map((id) => mathSample(id));
    const certificateOf = async (header: Partial<EvalHeader>, replies: MadeRun["replies"]) => {
      const made = { benchmark, samples, settings: { strategy: "direct", ...settings } };
      const folder = join(await tempFolder(), "run");
      await makeRun(folder, { ...made, header, replies });
      return certifyResults(await readResults(folder)).certificate as Certificate;
    };
    const names = ["failed or stopped results", "evidence"];
    const found = (certificate: Certificate) => names.map((name) => aspect(certificate, name));
    const said = { one: "So it is C.", two: "B", three: "A" };
    expect(found(await certificateOf({}, said))).toEqual([undefined, undefined]);
    const failed = await certificateOf({}, { ...said, two: null, three: null });
    expect(found(failed)).toMatchObject([{ wanted: 0, got: 2, verdict: "different" }, undefined]);
    expect(failed.comparable).toBe(false);
    const gold = { samples: ["one"], over: "1-recognised", oracle: null };
    const given = await certificateOf({ gold: { ...gold, stages: ["captions"] } }, said);
    expect(found(given)[1]).toMatchObject({
      got: "of another run, with right captions",
      verdict: "different",
    });
    const own = await certificateOf({ gold: { ...gold, over: null, stages: [] } }, said);
    expect(found(own)).toEqual([undefined, undefined]);
  });

  test("a run compares the decoding of the extractor that it was given", async () => {
    const plan = await planRun({
      ...COT,
      data: await mathData(1),
      strategy: "direct",
      protocol: "official",
      extractor: "model-letter",
      extractor_model: "openai:Qwen/Qwen3-4B",
      extractor_temperature: 0,
      runtime: { data: store.folder },
    });
    expect(aspect(plan.certificate, "extractor temperature")).toMatchObject({
      wanted: 0.7,
      got: 0,
      verdict: "different",
    });
    expect(plan.deviations).toContainEqual(expect.stringMatching(/^extractor temperature: 0, /));
  });
});

describeShared("the released questions of VCRBench", () => {
  test("known data files are recognised by their hash and are complete", async () => {
    const plan = await planRun({
      benchmark: "vcrbench",
      data: sharedFile("vcrbench/data.json"),
      strategy: "direct",
      model: "openai:gpt-4o",
      protocol: "official",
      runtime: { data: store.folder },
    });
    expect(aspect(plan.certificate, "data").verdict).toBe("equal");
    expect(aspect(plan.certificate, "questions").verdict).toBe("equal");
  });
});
