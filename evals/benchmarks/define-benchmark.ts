import type { AnswerFormat } from "../../graphs/answer-formats.ts";
import { ASK_WORDING, type Wording } from "../../graphs/wording.ts";
import type { DefinedPrompt } from "../../prompts/catalogue.ts";
import { codeFailure } from "../../src/core/code-failure.ts";
import type { DeclaredSettings } from "../../src/core/declared-settings.ts";
import { createRegistry } from "../../src/core/registry.ts";
import type { Task } from "../../src/core/shapes.ts";
import { type Scorers, scorersOf } from "../scorers/choose-scorers.ts";
import type { Aspect, CertificateFacts } from "./protocols/aspect.ts";
import { type PublishedProtocol, unpublished } from "./protocols/protocol.ts";
import type { ReleasedPrompt } from "./protocols/released-prompt.ts";
import type { ResponseFormat } from "./response-format.ts";
import type { BenchmarkData, LoadOptions, Sample } from "./sample.ts";
import type { Extractor, OfficialScores, ScoredQuestion, ScoredReply } from "./scored-reply.ts";
import { namesForeignChoice, orderPositions, soundAnswer } from "./sound-answer.ts";
import { questionOfPair, wholeQuestions } from "./whole-questions.ts";

/** How a benchmark's prompts ask for an answer, and which extractor reads which form. */
export interface AnswerReading {
  /** The form in which code writes an answer that no model wrote. */
  written: AnswerFormat;
  /** Default extractor by the form that was asked for; it reads that form after any reasoning. */
  readBy: Partial<Record<AnswerFormat, string>>;
  /** Extractor -> form that it misreads even without reasoning -> why, as a clause. */
  unreadable: Record<string, Partial<Record<AnswerFormat, string>>>;
}

/** Everything that this project knows of a benchmark. */
export interface Benchmark {
  readonly name: string;
  /** As people write it. */
  readonly title: string;
  /** Sets of questions that `--subset` chooses from, the default first; missing: there is one set. */
  readonly subsets?: readonly [Subset, ...Subset[]];
  /** What its questions ask for. */
  readonly tasks: readonly [Task, ...Task[]];
  /** Where its data are unless `--data` says it: `new URL("./questions.jsonl", import.meta.url)`. */
  readonly data?: string | URL;
  /**
   * Reads the published layout: a folder, or its data file.
   * Throws `Failure` `data-malformed` for data of another kind, `not-found` if nothing is there.
   */
  load(path: string, options?: LoadOptions): Promise<BenchmarkData>;
  /** Settings of `load`, such as the names of columns: flags of a run, which its header stores. */
  readonly loadSettings?: DeclaredSettings;
  /** Extensions, with the dot, of a data file that `eval` takes in place of the name of the benchmark. */
  readonly opens?: readonly string[];
  /** Group kind -> group, for breakdowns; a kind that the data lacks is left out. */
  groups(sample: Sample): Record<string, string>;
  /** Questions of one cluster are not independent. */
  cluster(sample: Sample): string;
  readonly extractors: { official: Extractor; sound: Extractor } & Readonly<
    Record<string, Extractor>
  >;
  readonly answers: AnswerReading;
  /** The scorers of its answers by task; a task without one needs `--scorer`. */
  readonly scorers: Scorers;
  /** What counts once in a mean: a sample, or a question whose pairs must all be right. */
  questions(scored: readonly ScoredReply[]): ScoredQuestion[];
  /** The scores of the released code, by its names and with its rounding, over the samples given. */
  official(scored: readonly ScoredReply[]): OfficialScores;
  /** Further scores, 0 to 1 (tau: -1 to 1), by name; null if nothing could be counted. */
  measures(scored: readonly ScoredReply[]): Record<string, number | null>;
  /** For orders: whether each position of the right answer is met; all false without an answer. */
  readonly positions?: (scored: ScoredReply) => boolean[];
  /** What single replies show, by name, each worth a rate over all replies. Missing for benchmarks without any. */
  readonly replySigns?: {
    /** The definition of each sign, for a reader of the rates. */
    about: string;
    read(reply: string, scored: ScoredReply): Record<string, boolean>;
  };
  /** Whether a reply settles on an answer that its question cannot have: a letter or an order of another question. */
  namesForeignAnswer(reply: string, sample: Sample): boolean;

  /** How its questions are put to a model. */
  readonly wording: Wording;
  /** The prompts of its own folder. */
  readonly prompts: readonly DefinedPrompt[];
  /** Names of all prompts that its questions can be asked with, and which of them the authors released. */
  readonly asksWith: readonly string[];
  readonly released: readonly ReleasedPrompt[];

  /** How the paper measured. */
  readonly protocol: PublishedProtocol;
  /** What a certificate compares in addition to the aspects of all benchmarks. */
  aspects(facts: CertificateFacts): Aspect[];
  /** What the paper reports, as `published.json` has it; null: nothing is known. */
  readonly published: unknown;
  /** The scores of a run by the names of the metrics in `published`. */
  publishedScores(run: RunScores): Record<string, unknown>;

  /** How rows are known again in the result files of other tools, and its own format of such files. */
  readonly responses: ResponseFormat;
  /** Writes the file that its leaderboard takes; missing if it has none. `model` is without its provider. */
  readonly leaderboard?: (replies: readonly ReleasedReply[], model: string) => string;
}

/** One of several sets of questions of a benchmark. */
export interface Subset {
  readonly name: string;
  /** Number of options of its questions. */
  readonly options: number;
  /** What reports say after the title of the benchmark: `in pairs`. */
  readonly suffix?: string;
}

/** The reply to a sample in its first epoch. */
export interface ReleasedReply {
  sample: Sample;
  reply: string | null;
}

/** What `publishedScores` of a benchmark is given. */
export interface RunScores {
  official: OfficialScores;
  /** Share of all questions that are right. */
  accuracy: number | null;
  /** The settings of the run, as its header keeps them. */
  settings: unknown;
}

type Optional =
  | "cluster"
  | "groups"
  | "questions"
  | "official"
  | "measures"
  | "wording"
  | "prompts"
  | "asksWith"
  | "released"
  | "protocol"
  | "aspects"
  | "published"
  | "publishedScores"
  | "extractors"
  | "answers"
  | "namesForeignAnswer"
  | "responses";

/** What has to be said of a benchmark; the rest has defaults. */
export type BenchmarkDefinition = Omit<Benchmark, Optional | "scorers"> &
  Partial<Pick<Benchmark, Optional>> & {
    /** Name of the scorer of its answers, or one for each task. */
    scorer: string | Readonly<Partial<Record<Task, string>>>;
  };

/** The benchmarks that this process knows. */
export const benchmarks = createRegistry<Benchmark>("a benchmark");

/** Replies that end in the form that the prompts of `ask` ask for. */
const READ_AT_END: AnswerReading = {
  written: "letter",
  readBy: { letter: "sound", "answer-line": "sound", "order-line": "sound", words: "sound" },
  unreadable: {},
};

/** Result files of other tools are recognised by the name of the benchmark only. */
const NAMED_RESPONSES: ResponseFormat = {
  clues: { video: "video", ids: ["id"], numbered: "id" },
  matchesRow: () => false,
};

/**
 * Defines a benchmark. Without `extractors`, answers of every task are read at the end of a reply; without `cluster`,
 * questions on the same video belong together; without `questions`, every sample counts by itself, and pairs of one question
 * together; without `groups`, those of its samples count; without `wording`, questions are asked as those of `ask`; without
 * `protocol`, no run is comparable with published results.
 *
 * @example
 * export default defineBenchmark({
 *   name: "my-benchmark",
 *   title: "My Benchmark",
 *   tasks: ["choice", "open"],
 *   load: (path) => loadRows(path, { title: "My Benchmark", columns: ["id", "question"] }, readRow),
 *   scorer: { choice: "letter", open: "includes" },
 * });
 */
export function defineBenchmark(definition: BenchmarkDefinition): Benchmark {
  const { scorer, ...rest } = definition;
  const { prompts = [], title, tasks } = rest;
  const cluster = definition.cluster ?? ((sample) => sample.video);
  const groups = definition.groups ?? ((sample) => sample.groups ?? {});
  return {
    extractors: { official: soundAnswer, sound: soundAnswer },
    answers: READ_AT_END,
    namesForeignAnswer: namesForeignChoice,
    responses: NAMED_RESPONSES,
    ...(tasks.includes("order") ? { positions: orderPositions } : {}),
    official: () => ({}),
    measures: () => ({}),
    questions: (scored) => onePerSample(scored, { cluster, groups }),
    wording: { ...ASK_WORDING, recalls: false },
    prompts,
    asksWith: prompts.map(({ name }) => name),
    released: [],
    protocol: unpublished(title),
    aspects: () => [],
    published: null,
    publishedScores: ({ official }) => official,
    ...rest,
    async load(path, options) {
      try {
        return await rest.load(path, options);
      } catch (error) {
        throw codeFailure(error, `Loading the data of the benchmark ${rest.name}`);
      }
    },
    scorers: scorersOf(tasks, scorer),
    cluster,
    groups,
  };
}

/** What the header of a run records as subset if none was chosen. */
export const DEFAULT_SUBSET = "mcq";

/** The subset of that name; undefined for benchmarks with one set. */
export function subsetOf(
  { subsets }: Pick<Benchmark, "subsets">,
  name: string | undefined,
): Subset | undefined {
  return subsets?.find((subset) => subset.name === name);
}

/** Finds a benchmark by its name in any case. Throws `Failure` `wrong-usage` that lists the known names. */
export function benchmarkNamed(name: string): Benchmark {
  return benchmarks.find(name) ?? benchmarks.find(name.toLowerCase()) ?? benchmarks.get(name);
}

/** The benchmark with other scorers; undefined: its own, as in older runs. */
export function withScorers(benchmark: Benchmark, scorers: Scorers | undefined): Benchmark {
  return scorers === undefined ? benchmark : { ...benchmark, scorers };
}

/** Each sample as a question of its own, apart from pairs. Samples of several tasks are grouped by them as well. */
function onePerSample(
  scored: readonly ScoredReply[],
  { cluster, groups }: Pick<Benchmark, "cluster" | "groups">,
): ScoredQuestion[] {
  const isMixed = new Set(scored.map(({ sample }) => sample.task)).size > 1;
  const questionOf = ({ id, pairs }: Sample) => (pairs === undefined ? id : questionOfPair(id));
  return wholeQuestions(scored, questionOf, {
    cluster,
    groups: (sample) => ({ ...(isMixed ? { task: sample.task } : {}), ...groups(sample) }),
  });
}
