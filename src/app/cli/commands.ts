import type { Command } from "commander";
import { addAsk } from "./ask.ts";
import { addAttribute } from "./attribute.ts";
import { addAudit } from "./audit.ts";
import { addBackup, addRestore } from "./backup.ts";
import { addBuildVcrbench } from "./build-vcrbench.ts";
import { addCalculate } from "./calculate.ts";
import { addCards } from "./cards.ts";
import { addCompare } from "./compare.ts";
import { addDemo } from "./demo.ts";
import { addDescribe } from "./describe.ts";
import { addDoctor } from "./doctor.ts";
import { addEval } from "./eval.ts";
import { addEvalJudge } from "./eval-judge.ts";
import { addExport } from "./export.ts";
import { addExportReviews } from "./export-reviews.ts";
import { addForget } from "./forget.ts";
import { addFrames } from "./frames.ts";
import { addHumanStudy } from "./human-study.ts";
import { addIndex } from "./index.ts";
import { addInit } from "./init.ts";
import { addJudge } from "./judge.ts";
import { addKeys } from "./keys.ts";
import { addLibrary } from "./library.ts";
import { addMarks } from "./marks.ts";
import { addMcp } from "./mcp.ts";
import { addPerturb } from "./perturb.ts";
import { addPower } from "./power.ts";
import { addProbe } from "./probe.ts";
import { addPrompts } from "./prompts.ts";
import { addPrune } from "./prune.ts";
import { addRepair } from "./repair.ts";
import { addReport } from "./report.ts";
import { addScore } from "./score.ts";
import { addSearch } from "./search.ts";
import { addServe } from "./serve.ts";
import { addShots } from "./shots.ts";
import { addSimulateOrdering } from "./simulate-ordering.ts";
import { addStudy } from "./study.ts";
import { addSubtitles } from "./subtitles.ts";
import { addSweep } from "./sweep.ts";
import { addText } from "./text.ts";
import { addUsage } from "./usage.ts";

/** All commands, in the order of the help. */
export const COMMANDS: readonly ((program: Command) => void)[] = [
  addAsk,
  addServe,
  addMcp,
  addDemo,
  addEval,
  addScore,
  addJudge,
  addEvalJudge,
  addCompare,
  addPower,
  addStudy,
  addPerturb,
  addSweep,
  addReport,
  addExport,
  addInit,
  addPrompts,
  addProbe,
  addFrames,
  addCards,
  addShots,
  addText,
  addSubtitles,
  addIndex,
  addSearch,
  addCalculate,
  addAttribute,
  addBuildVcrbench,
  addDescribe,
  addMarks,
  addHumanStudy,
  addSimulateOrdering,
  addLibrary,
  addAudit,
  addBackup,
  addRestore,
  addForget,
  addPrune,
  addKeys,
  addUsage,
  addExportReviews,
  addRepair,
  addDoctor,
];
