/*
 * Everything that is built in: one import and one entry for each definition. Nothing below `src/app` knows these names.
 */
import { cgBench } from "../../evals/benchmarks/cg-bench/benchmark.ts";
import { dataset } from "../../evals/benchmarks/dataset/benchmark.ts";
import { benchmarks } from "../../evals/benchmarks/define-benchmark.ts";
import { longVideoBench } from "../../evals/benchmarks/longvideobench/benchmark.ts";
import { lvBench } from "../../evals/benchmarks/lvbench/benchmark.ts";
import { mmrV } from "../../evals/benchmarks/mmr-v/benchmark.ts";
import { vcrbench } from "../../evals/benchmarks/vcrbench/benchmark.ts";
import { videoMme } from "../../evals/benchmarks/video-mme/benchmark.ts";
import { videoMmeV2 } from "../../evals/benchmarks/video-mme-v2/benchmark.ts";
import { videoMathQa } from "../../evals/benchmarks/videomathqa/benchmark.ts";
import { graders } from "../../evals/graders/define-grader.ts";
import { modelGrades } from "../../evals/graders/model-grades.ts";
import { programGrades } from "../../evals/graders/program-grades.ts";
import { cot } from "../../evals/judges/cot/judge.ts";
import { judges } from "../../evals/judges/define-judge.ts";
import { errors } from "../../evals/judges/errors/judge.ts";
import { grade } from "../../evals/judges/grade/judge.ts";
import { steps } from "../../evals/judges/steps/judge.ts";
import { perturbations } from "../../evals/perturbation/define-perturbation.ts";
import { addDistractors } from "../../evals/perturbation/perturbations/add-distractors.ts";
import { dropCaptions } from "../../evals/perturbation/perturbations/drop-captions.ts";
import { garbleText } from "../../evals/perturbation/perturbations/garble-text.ts";
import { hideEvidence } from "../../evals/perturbation/perturbations/hide-evidence.ts";
import { shiftSubtitles } from "../../evals/perturbation/perturbations/shift-subtitles.ts";
import { swapCaptions } from "../../evals/perturbation/perturbations/swap-captions.ts";
import { swapNumbers } from "../../evals/perturbation/perturbations/swap-numbers.ts";
import { swapObjects } from "../../evals/perturbation/perturbations/swap-objects.ts";
import { command } from "../../evals/scorers/command.ts";
import { scorers } from "../../evals/scorers/define-scorer.ts";
import { exact } from "../../evals/scorers/exact.ts";
import { includes } from "../../evals/scorers/includes.ts";
import { judged } from "../../evals/scorers/judged.ts";
import { letter } from "../../evals/scorers/letter.ts";
import { number } from "../../evals/scorers/number.ts";
import { order } from "../../evals/scorers/order.ts";
import { agent } from "../../graphs/agent/strategy.ts";
import { blind } from "../../graphs/blind/strategy.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { descriptionPrompt } from "../../graphs/description-prompt.ts";
import { direct } from "../../graphs/direct/strategy.ts";
import { extractive } from "../../graphs/extractive/strategy.ts";
import { keyFrame } from "../../graphs/key-frame/strategy.ts";
import { optionsOnly } from "../../graphs/options-only/strategy.ts";
import { random } from "../../graphs/random/strategy.ts";
import { react } from "../../graphs/react/strategy.ts";
import { rrd } from "../../graphs/rrd/strategy.ts";
import { selfConsistency } from "../../graphs/self-consistency/strategy.ts";
import { addPromptsOf } from "../../prompts/catalogue.ts";
import { calculate } from "../../tools/agent/calculate.ts";
import { compareFrames } from "../../tools/agent/compare_frames.ts";
import { tools } from "../../tools/agent/define-tool.ts";
import { overview } from "../../tools/agent/overview.ts";
import { readText } from "../../tools/agent/read_text.ts";
import { searchEvidence } from "../../tools/agent/search_evidence.ts";
import { solve } from "../../tools/agent/solve.ts";
import { subtitles } from "../../tools/agent/subtitles.ts";
import { viewClip } from "../../tools/agent/view_clip.ts";
import { viewFrames } from "../../tools/agent/view_frames.ts";
import { zoom } from "../../tools/agent/zoom.ts";
import { providers } from "../models/define-provider.ts";
import { googleGenai } from "../models/providers/google-genai/provider.ts";
import { langchain } from "../models/providers/langchain/provider.ts";
import { openai } from "../models/providers/openai/provider.ts";
import { MCP_PROMPTS } from "./mcp/prompts.ts";

tools.add(
  overview,
  searchEvidence,
  viewFrames,
  viewClip,
  zoom,
  readText,
  subtitles,
  compareFrames,
  calculate,
  solve,
);
strategies.addBuiltIn(
  direct,
  selfConsistency,
  blind,
  optionsOnly,
  keyFrame,
  rrd,
  agent,
  react,
  extractive,
  random,
);
benchmarks.add(
  vcrbench,
  mmrV,
  videoMathQa,
  lvBench,
  cgBench,
  longVideoBench,
  videoMme,
  videoMmeV2,
  dataset,
);
scorers.add(letter, order, exact, includes, number, judged, command);
judges.add(steps, errors, cot, grade);
graders.add(modelGrades, programGrades);
perturbations.add(
  dropCaptions,
  swapCaptions,
  swapObjects,
  swapNumbers,
  garbleText,
  shiftSubtitles,
  hideEvidence,
  addDistractors,
);
providers.add(openai, googleGenai, langchain);

addPromptsOf(() => tools.all().flatMap((tool) => descriptionPrompt(tool) ?? []));
addPromptsOf(() => benchmarks.all().flatMap(({ prompts }) => prompts));
addPromptsOf(() => MCP_PROMPTS);
addPromptsOf(() => strategies.all().flatMap(({ ownPrompts = [] }) => ownPrompts));
