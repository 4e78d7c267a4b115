import { Failure } from "../../src/core/errors.ts";
import type { Note } from "../benchmarks/sample.ts";
import { createTally } from "../benchmarks/tally.ts";
import { type Results, readResults } from "../score/read-results.ts";
import { judges } from "./define-judge.ts";
import type { Judge, PeopleLabels } from "./judge.ts";
import { type JudgeOptions, judgeResults } from "./judge-run.ts";
import { type JudgeInput, readJudgeInput } from "./judge-settings.ts";
import { type Judged, judgedReplies } from "./judged-replies.ts";
import type { Judging } from "./judging.ts";
import { cohenKappa, confusion, type Kappa, kappaBootstrap } from "./kappa.ts";
import { placeOf } from "./subjects.ts";

/** How far a judge and people agree on why answers are wrong. */
export interface Agreement {
  judged: Judged;
  /** Answers with a person's error type that the judge was asked about; and those that it named a type for. */
  n: number;
  n_judged: number;
  /** Share of equal types, of the judged ones and of all: what was not judged agrees with nothing. */
  agreement: { of_judged: number | null; of_all: number };
  /** Over the judged answers; null without any. `kappa` in its interval by resampling videos, and by large samples. */
  of_judged: KappaInterval | null;
  /** Over all answers, "not judged" being a category that no person used. */
  of_all: KappaInterval;
  /** Rows: people's types; columns: the judge's, and last what was not judged. */
  confusion: { types: readonly string[]; counts: number[][] };
  /** By type, over all `n`. */
  types: {
    type: string;
    people: number;
    judge: number;
    both: number;
    /** Of what the judge called so, and of what people called so; null without any. */
    precision: number | null;
    recall: number | null;
  }[];
  notes: Note[];
}

/** Cohen's kappa with its bootstrap interval over videos. */
export interface KappaInterval extends Kappa {
  method: "percentile bootstrap over videos; se, low and high by Fleiss, Cohen & Everitt 1969";
  bootstrap: ReturnType<typeof kappaBootstrap>;
}

const NOT_JUDGED = "not judged";

/** A judge whose judgements can be compared with people's. */
type ComparedJudge = Judge<unknown> & { people: PeopleLabels<unknown> };

function compared(): { kind: string; judge: ComparedJudge }[] {
  return judges
    .all()
    .flatMap(({ name: kind, judges: of }) =>
      of.flatMap((judge) =>
        judge.people === undefined ? [] : [{ kind, judge: judge as ComparedJudge }],
      ),
    );
}

/** The judge of a kind, by default the first that can be compared. Throws `Failure` `wrong-usage`. */
function comparedJudge(kind?: string): { kind: string; judge: ComparedJudge } {
  const all = compared();
  const found = kind === undefined ? all[0] : all.find((one) => one.kind === kind);
  if (found !== undefined) return found;
  const kinds = all.map((one) => one.kind);
  throw new Failure(
    "wrong-usage",
    kinds.length === 0
      ? "No kind of judge can be compared with people."
      : `Invalid --kind ${JSON.stringify(kind)}: use ${kinds.join(" or ")}.`,
    { kind },
  );
}

/** Types that people named, by sample. Unknown labels are counted in `notes`. */
export function peopleTypes(
  { samples }: Results,
  people: PeopleLabels<unknown> = comparedJudge().judge.people,
): {
  types: Map<string, string>;
  notes: Note[];
} {
  const types = new Map<string, string>();
  const tally = createTally();
  for (const { id, row } of samples) {
    const label = people.labelOf(row);
    if (label === null) continue;
    const type = people.typeOf(label);
    if (type === null) tally.add("labels that are not known", label);
    else types.set(id, type);
  }
  return { types, notes: tally.notes() };
}

/** Whose labels a judge is compared with. */
export interface AgreementInput extends Omit<JudgeInput, "kind"> {
  /** A run, or a file of responses, whose rows hold labels by people. */
  file: string;
  /** Default: the first that can be compared with people. */
  kind?: string;
  /** Of the resampling. Default 0. */
  seed?: number;
}

/**
 * Has a judge name the error types of answers that people have labelled, and compares the two; `model` chooses among
 * several models' columns, and `options.data` is the folder of the videos, which the file does not name. Throws as
 * `judgeResults`, and `data-malformed` for a file without labels.
 */
export async function judgeAgreement(
  { file, seed = 0, kind: named, ...asked }: AgreementInput,
  options: Omit<JudgeOptions, "only">,
  model?: string,
): Promise<Agreement> {
  const { kind, judge } = comparedJudge(named);
  const input = { ...asked, kind };
  readJudgeInput(input);
  const [benchmark] = judge.benchmarks === "any" ? [] : judge.benchmarks;
  const results = await readResults(file, { model, benchmark });
  const { types, notes } = peopleTypes(results, judge.people);
  if (types.size === 0)
    throw new Failure(
      "data-malformed",
      `No labels by people in ${file}: no row has \`${judge.people.member}\`.`,
      { file },
    );
  const only = new Set(types.keys());
  const judging = await judgeResults(results, input, { ...options, only });
  return { ...agreementOf(results, judging, types, seed, judge), notes };
}

/** The comparison only, of an existing judging. */
export function agreementOf(
  results: Results,
  judging: Judging,
  types: ReadonlyMap<string, string>,
  seed: number,
  judge: Judge<unknown> & { people: PeopleLabels<unknown> } = comparedJudge().judge,
): Omit<Agreement, "notes"> {
  const only = new Set(types.keys());
  const { people: labels } = judge;
  const { told, replies, waiting } = judgedReplies(results, judging, judge, {
    extractor: "official",
    only,
  });
  const named = new Map(
    replies.map(({ subject, parts }) => {
      const value = parts[0]?.value ?? null;
      return [subject.sample.id, value === null ? undefined : labels.named(value)];
    }),
  );
  const pairs = results.samples.flatMap((sample) => {
    const a = types.get(sample.id);
    if (a === undefined || waiting.has(placeOf({ sample, epoch: 1 }))) return [];
    const b = named.get(sample.id) ?? NOT_JUDGED;
    return [{ a, b, cluster: results.benchmark.cluster(sample) }];
  });
  const judged = pairs.filter(({ b }) => b !== NOT_JUDGED);
  const equal = pairs.filter(({ a, b }) => a === b).length;
  const all = [...labels.types, NOT_JUDGED];
  return {
    judged: told,
    n: pairs.length,
    n_judged: judged.length,
    agreement: {
      of_judged: judged.length === 0 ? null : equal / judged.length,
      of_all: equal / pairs.length,
    },
    of_judged: judged.length === 0 ? null : intervalOf(judged, labels.types, seed),
    of_all: intervalOf(pairs, all, seed),
    confusion: {
      types: labels.types,
      counts: confusion(pairs, all).slice(0, labels.types.length),
    },
    types: labels.types.map((type) => {
      const count = (of: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(of).length;
      const people = count(({ a }) => a === type);
      const judge = count(({ b }) => b === type);
      const both = count(({ a, b }) => a === type && b === type);
      return {
        ...{ type, people, judge, both },
        precision: judge === 0 ? null : both / judge,
        recall: people === 0 ? null : both / people,
      };
    }),
  };
}

function intervalOf(
  pairs: readonly { a: string; b: string; cluster: string }[],
  categories: readonly string[],
  seed: number,
): KappaInterval {
  return {
    ...cohenKappa(confusion(pairs, categories)),
    method: "percentile bootstrap over videos; se, low and high by Fleiss, Cohen & Everitt 1969",
    bootstrap: kappaBootstrap(pairs, categories, { seed }),
  };
}
