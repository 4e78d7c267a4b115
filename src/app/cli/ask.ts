import { type Command, Option } from "commander";
import type { AskResult } from "../../../graphs/ask.ts";
import type { SampleAnswer } from "../../../graphs/ask-samples.ts";
import { chooseStrategy, withChosenStrategy } from "../../../graphs/choose-strategy.ts";
import { needsModel, standard, strategies } from "../../../graphs/define-strategy.ts";
import { Failure } from "../../core/errors.ts";
import { readSettings, type Settings } from "../../core/settings.ts";
import { checkOutputFile } from "./check-output-file.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { renderAnswer } from "./render/answer.ts";
import { addSettingFlags, givenSettings, isForQuestions, typedNumber } from "./setting-flags.ts";
import { stageProgress } from "./stage-progress.ts";

/** Maximum of --samples. */
const MAX_SAMPLES = 25;

interface Flags {
  options?: string[];
  order?: boolean;
  goal?: string;
  html?: string;
  samples?: string;
  json?: boolean;
  showRequest?: boolean;
  batch?: boolean;
}

export function configureAsk(command: Command): void {
  command
    .argument("<video>", "a video file")
    .argument("[question]", "the question; optional with --order")
    .option(
      "--options <text...>",
      "the options of a multiple-choice question; they get letters from A",
    )
    .option("--order", "the clips of the video are shuffled: answer with their right order")
    .option(
      "--goal <text>",
      'the procedure that the shuffled clips show, for example "Make lemonade"',
    )
    .option(
      "--samples <n>",
      `ask n times (1 to ${MAX_SAMPLES}) and answer by majority, with its share as confidence; budgets apply to all samples together`,
    )
    .addOption(new Option("--html <file>", "also write the evidence page"))
    .option("--json", "print the answer and its evidence as JSON")
    .option(
      "--show-request",
      "print the first model request exactly as it would be sent, with media as hashes, and send nothing",
    );
  addSettingFlags(command, isForQuestions);
  command.addOption(new Option("--batch").hideHelp());
  withExamples(
    command,
    'ask lecture.mp4 "Why is the sum zero?"',
    'ask lecture.mp4 "What does the speaker draw?" --model openai:gpt-4.1',
    'ask lecture.mp4 "Which town is it?" --options Houston Pasadena Greenbelt --json',
    'ask film.mp4 "What does the sign say?" --strategy agent --model openai:gpt-4.1 --tools -calculate,-solve',
    'ask film.mp4 "Who wins?" --strategy ./my-strategy.ts --tools ./my-tool.ts --model openai:gpt-4.1',
    'ask match.mp4 "Which team leads the league now?" --strategy agent --model openai:gpt-4.1 --mcp servers.json',
    'ask clips.mp4 --order --goal "Make lemonade" --strategy rrd --model openai:gpt-4.1',
    'ask film.mp4 "Who wins?" --strategy direct --model google-genai:gemini-2.5-flash --media video --video-fps 2',
    'ask lecture.mp4 "Which graph is it?" --options A B --strategy direct --model openai:gpt-4.1 --samples 5 --temperature 0.7',
    'ask talk.mp4 "Who speaks first?" --strategy direct --model openai:llava --base-url http://localhost:11434/v1',
    `ask talk.mp4 "Who speaks first?" --strategy direct --model openai:qwen3-vl --base-url http://localhost:8000/v1 --thinking-budget 0 --top-k 20 --header 'X-Api-Key=$GATEWAY_KEY'`,
  );
  command.action((video: string, question: string | undefined, flags: Flags) =>
    run(async (signal) => {
      const given = givenSettings(command);
      if (flags.batch)
        throw new Failure(
          "wrong-usage",
          "`ask` does not have --batch: an answer would take up to a day. Use it with `eval`, `judge` or `sweep`.",
          { flag: "--batch" },
        );
      const settings = readSettings(withChosenStrategy(given));
      const chosen = chooseStrategy(given);
      if (chosen !== null)
        say(`Strategy ${chosen}: the default with a model. Pass --strategy to use another.`);
      const asked = askedFrom(question, flags);
      if (flags.html !== undefined && needsModel(settings.strategy) && flags.showRequest)
        throw new Failure(
          "wrong-usage",
          "--html and --show-request exclude each other: --show-request sends nothing, so there is no answer.",
        );
      const samples = samplesOf(flags.samples, settings);
      const { ask, askOpened } = await import("../../../graphs/ask.ts");
      const { askSamples } = await import("../../../graphs/ask-samples.ts");
      const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
      if (flags.showRequest) {
        await showRequest(video, asked, settings, signal);
        return EXIT.ok;
      }
      if (flags.html !== undefined) await checkOutputFile(flags.html);
      const view = stageProgress();
      let asking: AskResult & { samples?: SampleAnswer[] };
      try {
        const options = { settings, signal, onEvent: view.onEvent };
        asking =
          samples === 1
            ? await ask(video, asked, options)
            : await askOpened(video, asked, options, (parts) => askSamples(parts, samples));
      } finally {
        view.done();
        await closeOcr();
      }
      if (flags.json)
        printJson({
          question: asking.question,
          answer: asking.answer,
          ...(asking.samples === undefined ? {} : { samples: asking.samples }),
          evidence: asking.evidence,
        });
      else print(renderAnswer(asking, settings));
      if (flags.html !== undefined) {
        const { writeEvidencePage } = await import("./write-evidence-page.ts");
        await writeEvidencePage(flags.html, video, asking, settings);
        say(`Evidence page: ${flags.html}`);
      }
      return asking.answer.status === "answered" ? EXIT.ok : EXIT.failed;
    }),
  );
}

function samplesOf(given: string | undefined, settings: Settings): number {
  if (given === undefined) return 1;
  const samples = typedNumber(given) as number;
  if (!Number.isInteger(samples) || samples < 1 || samples > MAX_SAMPLES)
    throw new Failure(
      "wrong-usage",
      `Invalid --samples ${JSON.stringify(given)}: use a whole number from 1 to ${MAX_SAMPLES}.`,
      { given },
    );
  if (samples > 1) checkSampling(settings);
  return samples;
}

/** Refuses a strategy without a model, whose samples would be the same, and warns of a temperature at which they may be. */
function checkSampling(settings: Settings): void {
  const { strategy, reasoning } = settings;
  if (!needsModel(strategy))
    throw new Failure(
      "wrong-usage",
      `--samples asks a model several times, and the strategy ${strategy} asks none: leave it out, or choose a strategy with a model, such as ${standard("with-model").name}.`,
      { flag: "--samples", strategy },
    );
  const { temperature } = strategies.get(strategy);
  if (temperature === undefined && reasoning.temperature === 0)
    say(
      "The temperature is 0, so all samples may be the same. Pass --temperature, for example 0.7.",
    );
}

function askedFrom(question: string | undefined, { options, order, goal }: Flags) {
  if (order && options !== undefined)
    throw new Failure("wrong-usage", "--order and --options exclude each other. Pass one of them.");
  if (order && goal === undefined)
    throw new Failure("wrong-usage", '--order needs --goal, for example --goal "Make lemonade".');
  if (goal !== undefined && !order)
    throw new Failure(
      "wrong-usage",
      "--goal needs --order: a goal names the procedure that shuffled clips show.",
    );
  if (question === undefined && !order)
    throw new Failure(
      "wrong-usage",
      'No question given. Pass one, for example video-rrd ask lecture.mp4 "What is shown?".',
    );
  if (options !== undefined && options.length < 2)
    throw new Failure(
      "wrong-usage",
      `Invalid --options: pass at least two options, not ${options.length}.`,
    );
  const empty = options?.findIndex((text) => text.trim() === "") ?? -1;
  if (empty >= 0)
    throw new Failure("wrong-usage", `Invalid --options: option ${empty + 1} is empty.`);
  return {
    text: question ?? "In which order do the clips belong?",
    ...(order ? { task: "order" as const, goal } : {}),
    ...(options === undefined ? {} : { options }),
  };
}

async function showRequest(
  video: string,
  asked: ReturnType<typeof askedFrom>,
  settings: ReturnType<typeof readSettings>,
  signal: AbortSignal,
): Promise<void> {
  const { ask } = await import("../../../graphs/ask.ts");
  const { showFirstRequest } = await import("../../models/request-view.ts");
  let printed = false;
  await ask(video, asked, {
    settings,
    signal,
    createModels: () =>
      showFirstRequest(settings, (view) => {
        printed = true;
        printJson(view);
      }),
  });
  if (!printed) say(`The strategy ${settings.strategy} sends no model request for this question.`);
}
