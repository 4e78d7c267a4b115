import { definePrompt, nameOfPrompt } from "../../prompts/catalogue.ts";
import { defineStrategy, strategyThat } from "../define-strategy.ts";
import { CALLS_MODEL } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

const withheld = definePrompt({
  name: "options-only/question",
  file: new URL("./prompts/question.md", import.meta.url),
  variables: [],
});

const { graph: _graph, prompts, plan, ...oneCall } = singleCall("nothing");

const asked = () =>
  strategyThat(
    "that asks the question without the video",
    ({ approach, shows }) => approach === "single-call" && shows === "nothing",
  );

/** A control: the accuracy that the options achieve, without the question and without the video. */
export const optionsOnly = defineStrategy({
  name: "options-only",
  summary: "The options only, without question and video: a control.",
  ...oneCall,
  // No paper measures it: its runs are not those of a published baseline.
  approach: "other",
  tasks: ["choice"],
  reads: [...CALLS_MODEL, "reasoning.cot"],
  ownPrompts: [withheld],
  plan: (...given) =>
    plan(...given).map((stage) => ({ ...stage, what: "the options in one call" })),
  prompts: (...given) => [nameOfPrompt(withheld), ...prompts(...given)],
  run: (question, context) =>
    context.ask(asked().name, {
      question: {
        ...question,
        text: context.prompts.render(withheld, {}).text,
        // What was asked before may tell what is asked now.
        earlier: undefined,
      },
    }),
});
