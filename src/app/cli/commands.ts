import type { Command } from "commander";

/** A command as the help of the program lists it. Its arguments, flags and code are loaded when it is called. */
export interface CommandEntry {
  name: string;
  summary: string;
  /** False if it uses no definition, so that it need not load them, which takes longer than the rest of its start. */
  definitions?: false;
  /** Adds its arguments, flags, examples and action. */
  configure: (command: Command) => Promise<void>;
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "ask",
    summary: "ask a question about a video and print the answer with its evidence",
    configure: async (command) => (await import("./ask.ts")).configureAsk(command),
  },
  {
    name: "serve",
    summary: "serve a web page and an HTTP API: upload videos, ask questions, correct the evidence",
    configure: async (command) => (await import("./serve.ts")).configureServe(command),
  },
  {
    name: "mcp",
    summary:
      "serve the tools to an MCP client such as Claude or an editor, over standard input and output; `serve` offers them over HTTP",
    configure: async (command) => (await import("./mcp.ts")).configureMcp(command),
  },
  {
    name: "demo",
    summary: "create two small videos and answer questions about them without a language model",
    configure: async (command) => (await import("./demo.ts")).configureDemo(command),
  },
  {
    name: "eval",
    summary: "run a strategy on a benchmark; --resume continues an interrupted run",
    configure: async (command) => (await import("./eval.ts")).configureEval(command),
  },
  {
    name: "worker",
    summary:
      "answer the questions of runs that `eval --workers remote` submits to the same --store, on any number of machines",
    configure: async (command) => (await import("./worker.ts")).configureWorker(command),
  },
  {
    name: "runs",
    summary: "list, watch, cancel and retry the runs that workers answer, and list the workers",
    configure: async (command) => (await import("./runs.ts")).configureRuns(command),
  },
  {
    name: "score",
    summary:
      "score a run, all runs of a sweep, or a response file of another tool; asks no question again",
    configure: async (command) => (await import("./score.ts")).configureScore(command),
  },
  {
    name: "judge",
    summary:
      "judge the replies of a run with a model; the same command continues an interrupted judging",
    configure: async (command) => (await import("./judge.ts")).configureJudge(command),
  },
  {
    name: "eval-judge",
    summary:
      "measure how well a judge agrees with people: on error types of MMR-V answers, or on grades of open answers (Cohen's kappa, confusion matrix)",
    configure: async (command) => (await import("./eval-judge.ts")).configureEvalJudge(command),
  },
  {
    name: "compare",
    summary:
      "compare runs with the first run, question by question; a blind run adds what each run gains from the video",
    configure: async (command) => (await import("./compare.ts")).configureCompare(command),
  },
  {
    name: "power",
    summary: "plan a comparison: questions and videos needed to find a difference",
    configure: async (command) => (await import("./power.ts")).configurePower(command),
  },
  {
    name: "study",
    summary: "study runs beyond their scores: price, errors of recognition, confidences",
    configure: async (command) => (await import("./study.ts")).configureStudy(command),
  },
  {
    name: "perturb",
    summary: "inject errors into what a run recognised, as new evidence sets",
    configure: async (command) => (await import("./perturb.ts")).configurePerturb(command),
  },
  {
    name: "sweep",
    summary:
      "run every combination of settings on a benchmark; calls that runs share are made once",
    configure: async (command) => (await import("./sweep.ts")).configureSweep(command),
  },
  {
    name: "report",
    summary: "write tables, plots and samples of runs to one self-contained page",
    configure: async (command) => (await import("./report.ts")).configureReport(command),
  },
  {
    name: "export",
    summary: "write a run, or all runs of a sweep, in the format of another tool",
    configure: async (command) => (await import("./export.ts")).configureExport(command),
  },
  {
    name: "init",
    summary: "write a small working definition of your own, to start from",
    configure: async (command) => (await import("./init.ts")).configureInit(command),
  },
  {
    name: "prompts",
    summary: "import the prompts of the benchmarks' authors into a folder for --prompts",
    configure: async (command) => (await import("./prompts.ts")).configurePrompts(command),
  },
  {
    name: "probe",
    summary: "show the streams and properties of a video file",
    definitions: false,
    configure: async (command) => (await import("./probe.ts")).configureProbe(command),
  },
  {
    name: "frames",
    summary: "sample frames of a video with their exact timestamps",
    definitions: false,
    configure: async (command) => (await import("./frames.ts")).configureFrames(command),
  },
  {
    name: "cards",
    summary: "find title cards (`Clip N`) and the clips between them",
    configure: async (command) => (await import("./cards.ts")).configureCards(command),
  },
  {
    name: "shots",
    summary: "detect the shots of a video by its cuts and dissolves",
    definitions: false,
    configure: async (command) => (await import("./shots.ts")).configureShots(command),
  },
  {
    name: "text",
    summary: "read the text and equations on screen with their times",
    definitions: false,
    configure: async (command) => (await import("./text.ts")).configureText(command),
  },
  {
    name: "subtitles",
    summary: "read the subtitles of a video, from a file next to it or from a stream in it",
    configure: async (command) => (await import("./subtitles.ts")).configureSubtitles(command),
  },
  {
    name: "index",
    summary: "recognise shots, text, equations and subtitles in a video, and captions with --model",
    configure: async (command) => (await import("./index.ts")).configureIndex(command),
  },
  {
    name: "search",
    summary: "search a video for words that are spoken, on screen or in descriptions",
    configure: async (command) => (await import("./search.ts")).configureSearch(command),
  },
  {
    name: "calculate",
    summary: "evaluate a LaTeX expression or solve equations, and check the result",
    configure: async (command) => (await import("./calculate.ts")).configureCalculate(command),
  },
  {
    name: "attribute",
    summary:
      "attribute errors to stages: what accuracy gains if captions, text, speech or search are right",
    configure: async (command) => (await import("./attribute.ts")).configureAttribute(command),
  },
  {
    name: "build-vcrbench",
    summary:
      "build a dataset in the layout of VCRBench, with step names, from your own procedural videos",
    configure: async (command) =>
      (await import("./build-vcrbench.ts")).configureBuildVcrbench(command),
  },
  {
    name: "describe",
    summary: "statistics of a set of questions and its videos, and a data card; calls no model",
    configure: async (command) => (await import("./describe.ts")).configureDescribe(command),
  },
  {
    name: "marks",
    summary:
      "mark the questions that runs answer without the video (see `sweep --preset leaks`); calls no model",
    configure: async (command) => (await import("./marks.ts")).configureMarks(command),
  },
  {
    name: "human-study",
    summary:
      "have people answer the questions of a benchmark, in random order, blind and timed; the answers become a run",
    configure: async (command) => (await import("./human-study.ts")).configureHumanStudy(command),
  },
  {
    name: "simulate-ordering",
    summary: "simulate ordering methods with a judge of known error rates; calls no model",
    configure: async (command) =>
      (await import("./simulate-ordering.ts")).configureSimulateOrdering(command),
  },
  {
    name: "library",
    summary: "work with all videos of a service's data folder",
    configure: async (command) => (await import("./library.ts")).configureLibrary(command),
  },
  {
    name: "audit",
    summary: "list who did what and when in a service's data folder, newest first",
    configure: async (command) => (await import("./audit.ts")).configureAudit(command),
  },
  {
    name: "backup",
    summary:
      "back up a data folder into another folder, also while a service uses it; later backups copy only what is new",
    configure: async (command) => (await import("./backup.ts")).configureBackup(command),
  },
  {
    name: "restore",
    summary: "restore a backup into an empty folder, and compare every file with its hash",
    configure: async (command) => (await import("./backup.ts")).configureRestore(command),
  },
  {
    name: "forget",
    summary:
      "remove all stored data of a video: uploads, answers, reviews, evidence, frames, model replies",
    configure: async (command) => (await import("./forget.ts")).configureForget(command),
  },
  {
    name: "batches",
    summary: "list the batches of interrupted runs with --batch, or cancel them",
    configure: async (command) => (await import("./batches.ts")).configureBatches(command),
  },
  {
    name: "prune",
    summary:
      "show the stored bytes of each video (frames, indexes, replies, events) and remove the data of videos whose files are missing; or, with --older-than, what was not used for that long",
    configure: async (command) => (await import("./prune.ts")).configurePrune(command),
  },
  {
    name: "keys",
    summary: "manage keys for `serve --keys`, each with its own limits",
    configure: async (command) => (await import("./keys.ts")).configureKeys(command),
  },
  {
    name: "usage",
    summary: "show what each key of a service asked and spent; works while the service runs, too",
    configure: async (command) => (await import("./usage.ts")).configureUsage(command),
  },
  {
    name: "export-reviews",
    summary:
      "write the reviewed answers of a service as a data file with its videos and sidecars, which `eval` and `attribute --gold` read; works while the service runs, too",
    configure: async (command) =>
      (await import("./export-reviews.ts")).configureExportReviews(command),
  },
  {
    name: "repair",
    summary: "list the damaged rows of a store; --remove removes them and writes a copy",
    configure: async (command) => (await import("./repair.ts")).configureRepair(command),
  },
  {
    name: "doctor",
    summary: "check the installation and show how to fix problems",
    configure: async (command) => (await import("./doctor.ts")).configureDoctor(command),
  },
];
