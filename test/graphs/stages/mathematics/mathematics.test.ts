import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { VIDEOMATHQA_WORDING } from "../../../../evals/benchmarks/videomathqa/wording.ts";
import { type AskResult, askInStore } from "../../../../graphs/ask.ts";
import { loadPrompts, type Prompts } from "../../../../prompts/load-prompts.ts";
import type { Store } from "../../../../src/core/contracts.ts";
import { makeEvidence } from "../../../../src/core/evidence.ts";
import { readSettings } from "../../../../src/core/settings.ts";
import type { Evidence, Question } from "../../../../src/core/shapes.ts";
import { compose } from "../../../../src/media/compose.ts";
import { openStore } from "../../../../src/storage/open.ts";
import { warmEngine } from "../../../../tools/mathematics/engine.ts";
import { openVideo, type Video } from "../../../../tools/video/video.ts";
import { type ModelServer, type Script, startModelServer } from "../../../support/model-server.ts";
import { wordsOf } from "../../../support/shuffled.ts";
import { tempFolder } from "../../../support/temp.ts";
import { makeProblems } from "../../../tools/mathematics/problems/make.ts";
import type { Problem, ScriptedPlan } from "../../../tools/mathematics/problems/problem.ts";
import { evidenceOf, planFor } from "../../../tools/mathematics/problems/scripted.ts";
import { WRONG } from "../../../tools/mathematics/problems/wrong.ts";

let server: ModelServer;
let store: Store;
let video: Video;
let prompts: Prompts;

beforeAll(async () => {
  warmEngine();
  const folder = await tempFolder();
  server = await startModelServer(() => "none");
  store = await openStore(join(folder, "store"));
  prompts = await loadPrompts();
  const file = join(folder, "board.mp4");
  const picture = { background: "#ffffff", shapes: [] };
  const segments = [{ kind: "picture", duration_s: 1, picture } as const];
  await compose({ width: 64, height: 48, fps: 5, silent: true, segments }, file);
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

let asked = 0;

/** Asks over given evidence, so that all that is asked of the model is the plan, and the answer where that fails. */
function ask(
  question: Partial<Question> & { text: string },
  given: Evidence[],
  script: Script,
  reasoning: object = {},
): Promise<AskResult> {
  server.answer(script);
  return askInStore({
    store,
    video,
    prompts,
    question: { id: `q${++asked}`, video: video.hash, task: "choice", ...question },
    settings: readSettings({
      strategy: "rrd",
      model: "openai:scripted",
      reasoning,
      runtime: { base_url: server.url },
    }),
    wording: VIDEOMATHQA_WORDING,
    // The same prompt is answered again.
    epoch: asked,
    given,
  });
}

const plans =
  (plan: ScriptedPlan): Script =>
  (request) => {
    const prompt = wordsOf(request);
    return prompt.includes("You plan a calculation")
      ? JSON.stringify(planFor(plan, prompt))
      : "I cannot tell.";
  };

const askProblem = (problem: Problem, plan = problem.plan) =>
  ask(
    { text: problem.question, options: problem.options },
    evidenceOf(problem, video.hash),
    plans(plan),
  );

const PROBLEMS = makeProblems(24, 11);

test.each(PROBLEMS.map((problem) => [problem.id, problem.form, problem] as const))(
  "%s, %s: planned by the model, calculated by the engine",
  async (_id, _form, problem) => {
    const { answer, evidence } = await askProblem(problem);
    expect(answer.diagnostics?.mathematics).toMatchObject({ state: "verified" });
    expect(answer.answer).toBe(problem.answer);
    expect(server.chats()).toHaveLength(1);
    const made = evidence.items.filter(({ kind }) => kind === "calculation");
    expect(made.length).toBeGreaterThanOrEqual(1);
    const ids = new Set(evidence.items.map(({ id }) => id));
    for (const item of made) expect(item.from.every((id) => ids.has(id))).toBe(true);
    expect(made.some(({ from }) => from.length > 0)).toBe(true);
    expect(answer.cites).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  },
);

test.each(WRONG.map((wrong) => [wrong.name, wrong] as const))(
  "%s: not verified, and without a letter",
  async (_name, { spoil, says }) => {
    const spoilt = PROBLEMS.flatMap((problem) => {
      const plan = spoil(problem.plan, problem);
      return plan === null ? [] : [{ problem, plan }];
    }).slice(0, 2);
    expect(spoilt).toHaveLength(2);
    for (const { problem, plan } of spoilt) {
      const { answer, evidence } = await askProblem(problem, plan);
      const told = answer.diagnostics?.mathematics as { state: string; why: string };
      expect(told.state).toBe("not verified");
      expect(told.why).toMatch(says);
      expect(answer.answer).toBeNull();
      expect(answer.confidence).toBeNull();
      expect(evidence.items.filter(({ kind }) => kind === "calculation")).toEqual([]);
    }
  },
);

const item = (kind: Evidence["kind"], start_s: number, end_s: number, text: string) =>
  makeEvidence({
    video: video.hash,
    kind,
    start_s,
    end_s,
    text,
    by: { who: "file", name: "made" },
    confidence: null,
    from: [],
  });
const OPTIONS = ["2", "12", "20", "48"].map((text, place) => ({
  letter: "ABCD"[place] ?? "",
  text,
}));

describe("the plan's reply", () => {
  const board = () => [item("equation", 0, 5, "12 \\times 4 = ?")];
  const question = { text: "What is the result?", options: OPTIONS };
  const good = (request: Parameters<Script>[0]) =>
    JSON.stringify(
      planFor(
        {
          givens: [
            { name: "a", latex: "12", item: "12 \\times 4 = ?" },
            { name: "b", latex: "4", item: "12 \\times 4 = ?" },
          ],
          steps: [{ do: "calculate", name: "r_1", expression: "a \\cdot b" }],
          answer: "r_1",
          checks: ["r_1 / b = a"],
        },
        wordsOf(request),
      ),
    );

  test("is sent back once with its problem", async () => {
    const { answer } = await ask(question, board(), (request) =>
      wordsOf(request).includes("It could not be used, because")
        ? good(request)
        : '{"calculation": true}',
    );
    expect(answer.answer).toBe("D");
    expect(server.chats()).toHaveLength(2);
    const again = wordsOf(server.chats()[1] as never);
    expect(again).toContain("`unknown`");
    expect(again).toContain('{"calculation": true}');
  });

  test("that is malformed twice is not verified, and the question is answered by reasoning", async () => {
    const { answer } = await ask(question, board(), (request) =>
      wordsOf(request).includes("You plan") ? "It is 48, surely." : "Answer: D",
    );
    expect(server.chats()).toHaveLength(3);
    expect(answer.answer).toBe("D");
    expect(answer.diagnostics?.mathematics).toEqual({
      state: "not verified",
      why: "No usable plan: there was no JSON object in it.",
    });
  });

  test("with LaTeX in single backslashes is read", async () => {
    const { answer } = await ask(question, board(), (request) =>
      good(request).replaceAll("\\\\cdot", "\\cdot"),
    );
    expect(answer.answer).toBe("D");
  });

  test("may state that nothing is to be calculated", async () => {
    const { answer } = await ask(question, board(), (request) =>
      wordsOf(request).includes("You plan") ? '{"calculation": false}' : "Answer: A",
    );
    expect(answer.answer).toBe("A");
    expect(answer.diagnostics?.mathematics).toEqual({ state: "not a calculation" });
  });

  test("is not requested if the settings turn it off", async () => {
    const { answer } = await ask(question, board(), () => "Answer: A", { mathematics: "off" });
    expect(server.chats()).toHaveLength(1);
    expect(answer.diagnostics?.mathematics).toBeUndefined();
  });
});

test("a spoken number is shown with what is drawn at that time, and cited from the speech", async () => {
  const said = "So this side is three, and the other one here is four.";
  const given = [
    item("text", 0, 4, "Welcome"),
    item("text", 10, 20, "Figure: right triangle ABC, right angle at C"),
    item("subtitle", 12, 15, said),
    item("subtitle", 21, 24, "How long is the longest side?"),
  ];
  const { answer, evidence } = await ask(
    {
      text: "What is the length that the teacher asks for?",
      options: ["5", "6", "7"].map((text, place) => ({ letter: "ABC"[place] ?? "", text })),
    },
    given,
    plans({
      givens: [
        { name: "a", latex: "3", item: said },
        { name: "b", latex: "4", item: said },
      ],
      facts: ["Pythagoras"],
      steps: [{ do: "solve", equations: ["a^2 + b^2 = c^2"], for: ["c"] }],
      answer: "c",
      checks: ["c > 0"],
    }),
  );
  const prompt = wordsOf(server.chats()[0] as never);
  expect(prompt).toContain("E3 says three = 3, four = 4 while E2 stood there");
  expect(prompt).toContain("How long is the longest side?");
  expect(answer.answer).toBe("A");
  const [calculation] = evidence.items.filter(({ kind }) => kind === "calculation");
  expect(calculation?.text).toBe("c = 5 or c = -5, from a^2 + b^2 = c^2, where a = 3, b = 4");
  expect(calculation?.from).toEqual([given[2]?.id]);
});

test("an open question is answered with the exact and the decimal result", async () => {
  const given = [item("equation", 0, 5, "\\sqrt{50}")];
  const { answer } = await ask(
    { text: "What is the square root, in its simplest form?", task: "open" },
    given,
    plans({
      givens: [{ name: "n", latex: "50", item: "\\sqrt{50}" }],
      steps: [{ do: "calculate", name: "r", expression: "\\sqrt{n}" }],
      answer: "r",
      checks: ["r^2 = n"],
    }),
  );
  expect(answer.answer).toBe("5\\sqrt{2} ≈ 7.071067812");
});
