import type { Wording } from "../../../graphs/wording.ts";
import { definePrompt } from "../../../prompts/catalogue.ts";
import { NO_SUBTITLES } from "../../../tools/speech/subtitles/align-to-frames.ts";

/* How VideoMathQA's questions are asked: five options or a pair, bare letters, subtitles by frame numbers. */

const asking = (name: string) =>
  definePrompt({
    name: `videomathqa/${name}`,
    file: new URL(`./prompts/${name}.md`, import.meta.url),
    variables: ["question", "options"],
  });
const mcq = asking("mcq");
const mcqCot = asking("mcq-cot");
const pair = asking("mbin");
const pairCot = asking("mbin-cot");
const evidence = definePrompt({
  name: "videomathqa/evidence",
  file: new URL("./prompts/evidence.md", import.meta.url),
  variables: ["question", "options", "evidence"],
});
const subtitles = definePrompt({
  name: "videomathqa/subtitles",
  file: new URL("./prompts/subtitles.md", import.meta.url),
  variables: ["subtitles"],
});

export const VIDEOMATHQA_PROMPTS = [mcq, mcqCot, pair, pairCot, evidence, subtitles];

export const VIDEOMATHQA_WORDING: Wording = {
  choice: {
    direct: (options, cot) => {
      const [plain, reasoned] = options === 2 ? [pair, pairCot] : [mcq, mcqCot];
      return cot ? { prompt: reasoned, form: "answer-line" } : { prompt: plain, form: "letter" };
    },
    evidence: { prompt: evidence, form: "answer-line" },
    cites: false,
  },
  optionLine: ({ letter, text }) => `${letter}. ${text}`,
  textFirst: false,
  calculates: true,
  recalls: false,
  subtitles: {
    prompt: subtitles,
    missing: NO_SUBTITLES,
    line: ({ text }) => text,
    byFrameNumber: true,
  },
};
