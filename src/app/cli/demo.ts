import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { AskResult } from "../../../graphs/ask.ts";
import { standard } from "../../../graphs/define-strategy.ts";
import { planOrdering } from "../../../graphs/plan.ts";
import type { PlannedStage } from "../../../graphs/planned-stages.ts";
import type { TitleCards } from "../../../tools/video/title-cards.ts";
import { countOf } from "../../core/count-of.ts";
import { readSettings } from "../../core/settings.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, say, table } from "./output.ts";
import { renderAnswer } from "./render/answer.ts";
import { renderCards } from "./render/cards.ts";

const SEED = 7;

export function configureDemo(command: Command): void {
  withExamples(
    command
      .option("--out <folder>", "folder for the videos", "demo-out")
      .option("--json", "print one JSON value")
      .action((options: { out: string; json?: boolean }) =>
        run(async (signal) => {
          const demo = await runDemo(
            resolve(options.out),
            signal,
            options.json ? () => undefined : print,
          );
          if (options.json) printJson(demo);
          return undefined;
        }),
      ),
    "demo",
    "demo --out /tmp/demo --json",
  );
}

interface Demo {
  language_model: null;
  /** `page` is the path of the answer's evidence page. */
  answers: (Pick<AskResult, "question" | "answer" | "evidence"> & { page: string })[];
  cards: TitleCards;
  plan: { arm: string; stages: PlannedStage[] }[];
}

async function runDemo(
  out: string,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<Demo> {
  const { lesson, lessonQuestions } = await import("../../../evals/datasets/demo/lesson.ts");
  const { lemonade, procedure } = await import("../../../evals/datasets/demo/procedure.ts");
  const { compose } = await import("../../media/compose.ts");
  const { ask } = await import("../../../graphs/ask.ts");
  const { openStore } = await import("../../storage/open.ts");
  const { openVideo } = await import("../../../tools/video/video.ts");
  const { findTitleCards } = await import("../../../tools/video/title-cards.ts");
  const { closeOcr } = await import("../../../tools/text/close-ocr.ts");
  const { writeEvidencePage } = await import("./write-evidence-page.ts");
  await makeFolder(out);
  const lessonFile = join(out, "lesson.mp4");
  const procedureFile = join(out, "procedure.mp4");
  say("Creating two videos: a lesson, and a procedure of five shuffled clips ...");
  await compose(lesson, lessonFile, { signal });
  await compose(procedure(SEED).spec, procedureFile, { signal });

  const data = join(out, "store");
  const free = standard("without-model").name;
  const described = standard("with-model").name;
  const settings = readSettings({ strategy: free, runtime: { data } });
  const store = await openStore(data);
  try {
    write(
      `This demo uses no language model: \`${free}\` is the built-in baseline. It reads subtitles and text on screen, searches them, and calculates.\n`,
    );
    const answers: Demo["answers"] = [];
    for (const [index, { text, options }] of lessonQuestions.entries()) {
      const asking = await ask(lessonFile, { text, options }, { settings, store, signal });
      const page = join(out, `question-${index + 1}.html`);
      await writeEvidencePage(page, lessonFile, asking, settings, store);
      const { question, answer, evidence } = asking;
      answers.push({ question, answer, evidence, page });
      write(
        `$ video-rrd ask ${lessonFile} ${JSON.stringify(text)}${options === undefined ? "" : ` --options ${options.map((option) => JSON.stringify(option)).join(" ")}`} --html ${page}`,
      );
      write(renderAnswer(asking, settings));
      write(`Evidence page, to open in a browser: ${page}\n`);
    }
    const work = { store, run: "demo", signal };
    const cards = await findTitleCards(await openVideo(procedureFile, work), work);
    write(`$ video-rrd cards ${procedureFile}`);
    write(`${renderCards(cards)}\n`);
    const plan = plans(cards.clips.length);
    write(
      `Model calls of \`${described}\` to order these ${cards.clips.length} clips ("${lemonade.goal}"); none was sent:`,
    );
    for (const { arm, stages } of plan) {
      write(`  ${arm}`);
      write(
        table(
          stages.map((stage) => [
            "   ",
            `${stage.exact ? "" : "at most "}${countOf(stage.calls, "call")}`,
            countOf(stage.frames, "frame"),
            stage.what,
          ]),
        ),
      );
    }
    write(`\nThe videos are in ${out}. With an API key or your own server:`);
    write(
      `  video-rrd ask ${procedureFile} --order --goal ${JSON.stringify(lemonade.goal)} --strategy ${described} --model openai:gpt-4.1`,
    );
    return {
      language_model: null,
      answers,
      cards,
      plan,
    };
  } finally {
    await store.close();
    await closeOcr();
  }
}

function plans(clips: number): Demo["plan"] {
  const strategy = standard("with-model").name;
  const arm = (recognition: object, method: "all-at-once" | "merge-sort") =>
    planOrdering(readSettings({ strategy, recognition, reasoning: { method } }), clips);
  return [
    {
      arm: "recognition sequential on each clip, reasoning all-at-once (the default)",
      stages: arm({}, "all-at-once"),
    },
    {
      arm: "recognition sequential on each clip, reasoning merge-sort",
      stages: arm({}, "merge-sort"),
    },
    {
      arm: "recognition sequential on the whole video, reasoning all-at-once (the paper's best)",
      stages: arm({ input: "whole-video" }, "all-at-once"),
    },
  ];
}
