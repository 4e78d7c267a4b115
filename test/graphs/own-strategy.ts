/* Run by `define-strategy.test.ts` in its own process, because an added strategy cannot be removed. */
import { z } from "zod";
import { ask, defineStrategy, Failure, readSettings, strategies } from "../../src/app/index.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import { listSettings, ownSettings, settingMeta, settingsHash } from "../../src/core/settings.ts";

const [, , film = "", data = ""] = process.argv;

const Draws = z.strictObject({
  of: z
    .int()
    .min(1)
    .default(3)
    .describe("draws that vote")
    .meta(settingMeta({ flag: "draws", caller: true })),
});
const draws = ownSettings("draws", Draws);
const fileOf = (strategy: string) => settingsHash(readSettings({ strategy }));
const before = ["rrd", "agent", "random"].map(fileOf);

const drawn = defineStrategy({
  name: "most-drawn",
  summary: "Draws several times and takes what came first.",
  approach: "other",
  shows: "nothing",
  tasks: ["choice"],
  reads: ["recognition.frames"],
  settings: { draws: Draws },
  defaults: () => ({ "recognition.ocr": "model" }),
  roles: [],
  async run(question, context) {
    const { answer } = await context.ask("random");
    const item = makeEvidence({
      video: question.video,
      kind: "text",
      start_s: 0,
      end_s: 1,
      text: `${draws(context.settings).of} draws, ${context.settings.recognition.ocr}`,
      by: { who: "tool", name: "draw" },
      confidence: null,
      from: [],
    });
    return {
      answer: answer.answer,
      cites: [item.id],
      evidence: [item],
      diagnostics: { asked: true },
    };
  },
});
const passing = defineStrategy({
  ...drawn,
  name: "passing-on",
  settings: {},
  run: (question, context) => context.ask("most-drawn", { question }),
  graph: undefined,
});
strategies.add(drawn, passing);

const refusal = (input: unknown) => {
  try {
    readSettings(input);
    return null;
  } catch (error) {
    return error instanceof Failure ? error.message : String(error);
  }
};
const question = { text: "Which?", options: ["red", "green", "blue"] };
const settings = { strategy: "most-drawn", draws: { of: 5 }, runtime: { data } };
const asked = await ask(film, question, { settings });
const passed = await ask(film, question, {
  settings: { ...settings, strategy: "passing-on", draws: {} },
});
const open = await ask(film, "What?", { settings }).catch((error: Failure) => error.message);
console.log(
  JSON.stringify({
    sameHashes: JSON.stringify(before) === JSON.stringify(["rrd", "agent", "random"].map(fileOf)),
    leaf: listSettings().find(({ path }) => path === "draws.of"),
    answer: asked.answer,
    texts: asked.evidence.items.map(({ text }) => text),
    events: asked.events.map(({ type, stage }) => `${stage} ${type}`),
    passed: {
      answer: passed.answer.answer,
      answers: passed.events.filter(({ type }) => type === "answer").length,
    },
    open,
    refusals: [
      refusal({ strategy: "rrd", draws: { of: 2 } }),
      refusal({ strategy: "most-drawn", reasoning: { cot: true } }),
      refusal({ strategy: "nobody" }),
    ],
  }),
);
