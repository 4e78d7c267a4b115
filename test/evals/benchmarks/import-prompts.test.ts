import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { importPrompts } from "../../../evals/benchmarks/prompt-import/import-prompts.ts";
import { pythonLiterals } from "../../../evals/benchmarks/prompt-import/python-literals.ts";
import { vcrbench as vcrbenchDefinition } from "../../../evals/benchmarks/vcrbench/benchmark.ts";
import { VIDEOMATHQA_PROMPTS } from "../../../evals/benchmarks/videomathqa/wording.ts";
import { wordingsSent } from "../../../evals/certificate/certificate.ts";
import type { DefinedPrompt } from "../../../prompts/catalogue.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { wordingHash } from "../../../prompts/released-text.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { hasShared, sharedFile } from "../../support/shared.ts";
import { tempFolder } from "../../support/temp.ts";

/* Clones in the layout of the authors' repositories, with texts of this test instead of theirs. */

async function clone(files: Record<string, string>): Promise<string> {
  const folder = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const DATASET = `import torch
PROMPT='''Order the clips of {goal}. 
Again: {goal}.
Correct order: <"numbers">
'''
prompts=dict(default=PROMPT)
class VCRBench():
    def prepare(self):
        prompt=self.prompt.format(goal='x')
`;
const RRD = `class RRD(object):
    def video_recognition(self, video_inputs):
        
        prompt='''Say what each clip shows.
        Clip 1: <text>
        '''
        return prompt

    def identify_number_of_events(self, video_inputs):
        prompt='''How many clips? It\\'s one number.'''

    def video_recognition_iterative(self, video_inputs):
        prompt='''Watch Clip {step}. Only Clip {step}.'''
        for step in range(3):
            response = "x"
            response+=f"Clip {step}"

    def causal_reasoning(self, event_details, goal):
        prompt='''Steps of {goal}:

        {clip_details}

        Order them.
        '''

    def causal_reasoning_with_videos(self, event_details, goal):
        prompt='''See the video of {goal}: {clip_details}'''
`;
const UTILS = `def videomathqa_doc_to_text(doc, kwargs=None):
    if len(doc["options"]) == 2:
        option_prompt = "Choose A or B."
    else:
        option_prompt = "Choose A, B, C, D or E."
    post_prompt = kwargs["post_prompt"]

def videomathqa_doc_to_text_subtitle(doc, kwargs=None):
    subtitle_path = "a"
    subtitles_prompt = "Subtitles: \\n"
    if len(doc["options"]) == 2:
        option_prompt = "With subtitles choose A or B."
    else:
        option_prompt = "With subtitles choose A, B, C, D or E."
`;
const task = (post: string) => `dataset_path: MBZUAI/VideoMathQA
doc_to_text: !function utils.videomathqa_doc_to_text
lmms_eval_specific_kwargs:
  default:
    pre_prompt: ""
    post_prompt: ${JSON.stringify(post)}
`;
const TASKS = "lmms_eval/tasks/videomathqa";

let vcrbench: string;
beforeAll(async () => {
  vcrbench = await clone({ "data/dataset.py": DATASET, "models/qwen2_5_vl_rrd.py": RRD });
});

/** Loosely typed: what fills it is checked when it is rendered. */
function prompt(name: string): DefinedPrompt<never> {
  return VIDEOMATHQA_PROMPTS.find((one) => one.name === name) as DefinedPrompt<never>;
}

describe("prompts import", () => {
  test("reads VCRBench's texts verbatim with our variables, and lists the prompts without a text", async () => {
    const out = join(await tempFolder(), "prompts");
    const result = await importPrompts("vcrbench", { from: vcrbench, out });
    expect(result.imported.map(({ prompt, from }) => [prompt, from])).toEqual([
      ["vcrbench/direct", "data/dataset.py"],
      ["rrd/count-clips", "models/qwen2_5_vl_rrd.py"],
      ["rrd/recognise-all", "models/qwen2_5_vl_rrd.py"],
      ["rrd/recognise-one", "models/qwen2_5_vl_rrd.py"],
      ["rrd/order", "models/qwen2_5_vl_rrd.py"],
      ["rrd/order-video", "models/qwen2_5_vl_rrd.py"],
      ["rrd/order-clips", "models/qwen2_5_vl_rrd.py"],
    ]);
    expect(result.imported.every(({ verified }) => !verified)).toBe(true);
    expect(result.not_filled).toContainEqual({
      prompt: "rrd/compare",
      why: "no text of it was released",
    });
    const prompts = await loadPrompts(out);
    const render = prompts.render;
    expect(render("vcrbench/direct", { goal: "tea" }).text).toBe(
      'Order the clips of tea. \nAgain: tea.\nCorrect order: <"numbers">',
    );
    expect(render("rrd/count-clips", {}).text).toBe("How many clips? It's one number.");
    expect(render("rrd/recognise-one", { clip: "3" }).text).toBe("Watch Clip 3. Only Clip 3.");
    // Nothing is marked as data, as in the released text.
    expect(render("rrd/order", { goal: "tea", clips: "Clip 1: pour" }).text).toBe(
      "Steps of tea:\n\n        Clip 1: pour\n\n        Order them.",
    );
    const [direct] = result.imported;
    const text = DATASET.split("'''")[1] as string;
    expect(direct?.sha256).toBe(wordingHash(text));
    const asked = {
      wording: vcrbenchDefinition.wording,
      task: "order",
      options: 0,
      described: false,
    } as const;
    const settings = readSettings({ strategy: "direct" });
    expect(wordingsSent(settings, asked, prompts)).toEqual({
      "vcrbench/direct": { sha256: direct?.sha256, quoted: [], variables: ["goal", "goal"] },
    });
    // A second import changes nothing.
    await importPrompts("vcrbench", { from: vcrbench, out });
  });

  test("MMR-V gets the options as a Python list; a model has the text of its own script", async () => {
    const script = (text: string) => `prompt_template = """\n${text}\n{question}\n{options}\n"""\n`;
    const from = await clone({
      "evaluation/gemma-3-27b-it_on_MMR.py": script("General."),
      "evaluation/gemma-3-27b-it_on_MMR_cot.py": script("General, think."),
      "evaluation/gpt-4.1_on_MMR_cot.py": script('For GPT, \\"[[X]]\\".'),
    });
    const out = await tempFolder();
    await importPrompts("mmr-v", { from, out });
    const general = await readFile(join(out, "mmr-v", "direct-cot.md"), "utf8");
    expect(general).toContain("General, think.\n{{question}}\n{{option_list}}");
    const own = await tempFolder();
    const result = await importPrompts("mmr-v", { from, out: own, model: "openai:gpt-4.1" });
    expect(await readFile(join(own, "mmr-v", "direct-cot.md"), "utf8")).toContain(
      'For GPT, "[[X]]".',
    );
    expect(result.not_filled).toContainEqual({
      prompt: "mmr-v/direct",
      why: "the clone has no file evaluation/gemini-2.0-flash_on_MMR.py",
    });
  });

  test("VideoMathQA's text is composed as its task composes it, with and without subtitles", async () => {
    const from = await clone({
      [`${TASKS}/utils.py`]: UTILS,
      [`${TASKS}/videomathqa_mcq.yaml`]: task("\nLetter only."),
      [`${TASKS}/videomathqa_mbin_cot.yaml`]: task("First think."),
      [`${TASKS}/videomathqa_mcq_w_subtitle.yaml`]: task("\nLetter only, please."),
    });
    const out = await tempFolder();
    await importPrompts("videomathqa", { from, out });
    const given = { question: "1+1?", options: "A. 2\nB. 3" };
    const prompts = await loadPrompts(out);
    expect(prompts.render(prompt("videomathqa/mcq"), given).text).toBe(
      "Choose A, B, C, D or E.\n1+1?\nA. 2\nB. 3\n\nLetter only.",
    );
    expect(prompts.render(prompt("videomathqa/mbin-cot"), given).text).toBe(
      "Choose A or B.\n1+1?\nA. 2\nB. 3\nFirst think.",
    );
    const subtitled = await tempFolder();
    await importPrompts("videomathqa", { from, out: subtitled, subtitles: true });
    const spoken = await loadPrompts(subtitled);
    expect(spoken.render(prompt("videomathqa/mcq"), given).text).toMatch(
      /^With subtitles choose A, B, C, D or E\.\n[\s\S]*please\.$/,
    );
    expect(spoken.render(prompt("videomathqa/subtitles"), { subtitles: "one" }).text).toBe(
      "Subtitles: \none",
    );
  });

  test("a text under another name is not accepted as the released one", async () => {
    const known = vcrbenchDefinition.released[0];
    const moved = DATASET.replace("PROMPT='''", "OTHER = '''unrelated'''\nMOVED='''");
    const from = await clone({ "data/dataset.py": moved });
    const failure = importPrompts("vcrbench", { from, out: await tempFolder() });
    // Neither the hash nor the name fits.
    await expect(failure).rejects.toMatchObject({ kind: "not-found" });
    expect(known?.prompt).toBe("vcrbench/direct");
  });

  test("wrong inputs are reported: no folder, another repository, an existing file, an unknown model", async () => {
    const out = await tempFolder();
    const failing = async (name: string, options: object) =>
      importPrompts(name, { from: vcrbench, out, ...options }).then(
        () => "",
        (error: Error) => error.message,
      );
    expect(await failing("vcrbench", { from: join(out, "no") })).toMatch(
      /^Cannot read .* clone of pritamqu/,
    );
    expect(await failing("mmr-v", {})).toMatch(/^No released prompt of mmr-v .*GaryStack\/MMR-V/);
    expect(await failing("mmr-v", { model: "gpt-5" })).toMatch(/^Invalid --model "gpt-5": /);
    await mkdir(join(out, "vcrbench"));
    await writeFile(join(out, "vcrbench", "direct.md"), "mine {{goal}}");
    expect(await failing("vcrbench", {})).toMatch(
      /^Cannot write .*direct\.md: the file exists with another prompt/,
    );
    expect(await readFile(join(out, "vcrbench", "direct.md"), "utf8")).toBe("mine {{goal}}");
  });

  test("a text with an unknown variable is not imported", async () => {
    const from = await clone({
      "data/dataset.py": "PROMPT='''Order {goal} for {person}'''\n",
      "models/qwen2_5_vl_rrd.py": RRD,
    });
    const { not_filled } = await importPrompts("vcrbench", { from, out: await tempFolder() });
    expect(not_filled).toContainEqual({
      prompt: "vcrbench/direct",
      why: "its text in data/dataset.py has a variable {person} that is not known",
    });
  });
});

test("string literals of Python are read as Python reads them", () => {
  const quoted = fc
    .array(fc.constantFrom("a", "é", "\n", "'", '"', "\\", "{goal}", " = ", "\t"), {
      maxLength: 20,
    })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(quoted, fc.constantFrom('"""', "'''", '"', "'"), (value, mark) => {
      const escaped = value
        .replaceAll("\\", "\\\\")
        .replaceAll("\n", "\\n")
        .replaceAll("'", "\\'")
        .replaceAll('"', '\\"');
      const source = `x = 1\ndef f():\n    name = ${mark}${escaped}${mark}\n`;
      expect(pythonLiterals(source)).toEqual([{ variable: "name", inside: "f", value }]);
    }),
  );
});

test.skipIf(!hasShared)(
  "the known hashes follow from the given texts by the given rule",
  async () => {
    const given = JSON.parse(await readFile(sharedFile("released_prompts.json"), "utf8")) as {
      prompts: {
        benchmark: "vcrbench" | "mmr-v";
        sha256: string;
        name: string;
        variables: number;
      }[];
    };
    const released = benchmarks.all().flatMap((benchmark) => benchmark.released);
    const known = released.map((item) => item.sha256);
    // Of VideoMathQA only the last sentence is given there; here it is the composed text.
    for (const { name, sha256: hash, variables } of given.prompts) {
      if (name.includes("post_prompt")) continue;
      expect(known, name).toContain(hash);
      for (const item of released.filter((one) => one.sha256 === hash))
        expect(item.variables, name).toHaveLength(variables);
    }
    expect(wordingHash(" a {goal}\n\n b {{clips}} ")).toBe(sha256("a {} b {}"));
  },
);
