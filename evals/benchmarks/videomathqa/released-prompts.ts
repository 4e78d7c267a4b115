import { missingFile, readInClone } from "../prompt-import/clone-file.ts";
import { type PythonLiteral, pythonLiterals } from "../prompt-import/python-literals.ts";
import type { ReleasedPrompt, ReleasedText } from "../protocols/released-prompt.ts";

const LMMS_EVAL = "EvolvingLMMs-Lab/lmms-eval";
const TASKS = "lmms_eval/tasks/videomathqa";
const UTILITIES = `${TASKS}/utils.py`;
const math = (
  prompt: string,
  task: string,
  options: 2 | 5,
  [without, withSubtitles]: readonly [string, string],
): ReleasedPrompt[] =>
  [without, withSubtitles].map((sha256, place) => {
    const subtitles = place === 1;
    const file = `videomathqa_${task}${subtitles ? "_w_subtitle" : ""}`;
    return {
      prompt,
      sha256,
      repository: LMMS_EVAL,
      path: `${TASKS}/${file}.yaml`,
      place: {
        kind: "composed",
        read: (clone) => composed(clone, { task: file, subtitles, options }),
      },
      holes: {},
      variables: ["question", "options"],
      subtitles,
    };
  });

export const VIDEOMATHQA_RELEASED: readonly ReleasedPrompt[] = [
  ...math("videomathqa/mcq", "mcq", 5, [
    "aea7f33eefcb570116ed29d7ec3d99b7587eb399ce561fa0b7c2cf999a2e2a2c",
    "a8e653bc58f914f856730f791f7073abc15b7df331ffe662b81edd99253798a3",
  ]),
  ...math("videomathqa/mcq-cot", "mcq_cot", 5, [
    "8fee00017aa74849232df37090055018c083ea36f4561e9d2adad48d3821a3d2",
    "899ca35821b4d79e735c55717117fdf3e217837ea0fa61268206558e9f0b026c",
  ]),
  ...math("videomathqa/mbin", "mbin", 2, [
    "eefc80446ed0e255361478b66da9f0ebefecddd6b79303109a4c6a99bcfa4cd3",
    "f751d705a261375bfb6da0eea9b16b37e63c5de238c5e9cf9c355b10f0ef5619",
  ]),
  ...math("videomathqa/mbin-cot", "mbin_cot", 2, [
    "ad32f007a762de8cac487401b2a1f30b23e909c9a2f65308819a7e29e62fedba",
    "318bb7430923b3625161df1ab5054e3649d9713799c99e9e1a6d1f65199f12cf",
  ]),
  {
    prompt: "videomathqa/subtitles",
    sha256: "84cf44380df81bd99ccb9cd7ec9a66e5373c76d7fb7a5e845ddac1af0ab96c9d",
    repository: LMMS_EVAL,
    path: `${TASKS}/utils.py`,
    place: { kind: "composed", read: subtitleLine },
    holes: {},
    variables: ["subtitles"],
    subtitles: true,
  },
];

/** The strings of the task's `utils.py`; null: the clone lacks it. */
async function utilities(clone: string): Promise<PythonLiteral[] | null> {
  const source = await readInClone(clone, UTILITIES);
  return source === null ? null : pythonLiterals(source);
}

/** The line before the subtitles. */
async function subtitleLine(clone: string): Promise<ReleasedText> {
  const literals = await utilities(clone);
  if (literals === null) return missingFile(UTILITIES);
  const line = literals.find(({ variable }) => variable === "subtitles_prompt");
  return line === undefined
    ? { text: null, why: `${UTILITIES} has no text subtitles_prompt` }
    : { text: `${line.value}{{subtitles}}`, file: UTILITIES };
}

/** The sentence on options, question, options and the task's last sentence, each on a line, as `doc_to_text` does. */
async function composed(
  clone: string,
  { task, subtitles, options }: { task: string; subtitles: boolean; options: 2 | 5 },
): Promise<ReleasedText> {
  const literals = await utilities(clone);
  if (literals === null) return missingFile(UTILITIES);
  const file = `${TASKS}/${task}.yaml`;
  const source = await readInClone(clone, file);
  if (source === null) return missingFile(file);
  const inside = subtitles ? "videomathqa_doc_to_text_subtitle" : "videomathqa_doc_to_text";
  const sentences = literals.filter(
    (literal) => literal.variable === "option_prompt" && literal.inside === inside,
  );
  // The code has the sentence for two options first.
  const sentence = options === 2 ? sentences[0] : sentences[1];
  if (sentence === undefined)
    return {
      text: null,
      why: `${UTILITIES} has no text option_prompt in ${inside}()`,
    };
  const post = await postPrompt(source);
  if (post === null) return { text: null, why: `${file} has no post_prompt` };
  return { text: `${sentence.value}\n{{question}}\n{{options}}\n${post}`, file };
}

async function postPrompt(source: string): Promise<string | null> {
  const { parse } = await import("yaml");
  // Tags such as `!function` are lmms-eval's own.
  const value: unknown = parse(source, { logLevel: "silent" });
  const specific = member(value, "lmms_eval_specific_kwargs");
  const post = member(member(specific, "default"), "post_prompt");
  return typeof post === "string" ? post : null;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
