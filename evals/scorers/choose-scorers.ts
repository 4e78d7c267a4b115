import { z } from "zod";
import { type DeclaredSettings, flagOf, readDeclared } from "../../src/core/declared-settings.ts";
import { Failure } from "../../src/core/errors.ts";
import { TASKS, type Task } from "../../src/core/shapes.ts";
import { scorers } from "./define-scorer.ts";

/* Which scorer scores the answers of which task, and with which settings. */

/** The scorers of a run, by task; the answers of other tasks cannot be scored. Stored in the header of a run. */
export const Scorers = z.partialRecord(
  z.enum(TASKS),
  z.object({ name: z.string(), settings: z.record(z.string(), z.unknown()) }),
);
export type Scorers = z.infer<typeof Scorers>;

/** What is asked for by `--scorer` and the flags of scorers. */
export interface ScorersAsked {
  /** `number`, or with its task `open=number`. */
  scorer: readonly string[];
  settings: Readonly<Record<string, unknown>>;
}

/** The settings of all scorers by name. Two scorers with a setting of one name read the same flag. */
export function scorerSettings(): DeclaredSettings {
  return Object.assign({}, ...scorers.all().map(({ settings = {} }) => settings));
}

/** The given names of scorers as a list: a name, a list, or names with commas. */
export const ScorerNames = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    [given]
      .flat()
      .flatMap((one) => one.split(","))
      .map((one) => one.trim()),
  )
  .pipe(z.array(z.string().min(1)));

/** The same scorer for every task, or one for each. */
export function scorersOf(
  tasks: readonly Task[],
  scorer: string | Readonly<Partial<Record<Task, string>>>,
): Scorers {
  return Object.fromEntries(
    tasks.flatMap((task) => {
      const name = typeof scorer === "string" ? scorer : scorer[task];
      return name === undefined ? [] : [[task, { name, settings: {} }]];
    }),
  );
}

/** Names of the scorers that can score a task. */
export function scorersFor(task: Task): string[] {
  return scorers
    .all()
    .filter(({ tasks }) => tasks === undefined || tasks.includes(task))
    .map(({ name }) => name);
}

/**
 * The scorers of a benchmark with those asked for. A scorer that is named without a task scores every task that it can
 * score. Throws `Failure` `wrong-setting` for an unknown scorer, a task that it does not score, or a setting that none of
 * the scorers reads.
 */
export function chooseScorers(
  benchmark: { title: string; tasks: readonly Task[]; scorers: Scorers },
  { scorer, settings }: ScorersAsked,
): Scorers {
  const chosen: Scorers = { ...benchmark.scorers };
  for (const given of [...impliedBy(settings, scorer), ...scorer])
    for (const [task, name] of namedFor(given, benchmark)) chosen[task] = { name, settings: {} };
  const read = readDeclared(scorerSettings(), settings);
  const used = Object.values(chosen).map(({ name }) => scorers.get(name).settings ?? {});
  const unread = Object.keys(read).find((name) => !used.some((own) => name in own));
  if (unread !== undefined) throw notRead(unread);
  return Object.fromEntries(
    Object.entries(chosen).map(([task, { name, settings: before }]) => {
      const { settings: declared = {}, needs } = scorers.get(name);
      const own = Object.keys(declared);
      const given = Object.entries(read).filter(([setting]) => own.includes(setting));
      const all = { ...before, ...Object.fromEntries(given) };
      if (needs !== undefined && all[needs] === undefined) throw missing(name, needs);
      return [task, { name, settings: all }];
    }),
  );
}

/** The scorers that a given setting chooses, if they are not named. */
function impliedBy(settings: ScorersAsked["settings"], named: readonly string[]): string[] {
  return scorers
    .all()
    .filter(({ needs }) => needs !== undefined && settings[needs] != null)
    .map(({ name }) => name)
    .filter((name) => !named.some((one) => one === name || one.endsWith(`=${name}`)));
}

function missing(scorer: string, setting: string): Failure {
  const { expected = "a value" } = scorers.get(scorer).settings?.[setting] ?? {};
  return new Failure(
    "wrong-setting",
    `Missing ${flagOf(setting)} for --scorer ${scorer}: give ${expected}.`,
    { name: setting, scorer },
  );
}

function namedFor(
  given: string,
  { title, tasks }: { title: string; tasks: readonly Task[] },
): [Task, string][] {
  const [, task, name = given] = /^(order|choice|open)=(.*)$/.exec(given) ?? [];
  const { tasks: scored = TASKS } = known(name);
  const chosen = tasks.filter((one) => scored.includes(one) && (task ?? one) === one);
  if (chosen.length > 0) return chosen.map((one) => [one, name]);
  const other = task !== undefined && !scored.includes(task as Task);
  const why = other
    ? `not ${task} questions. For these use ${namesFor(task as Task).join(", ")}`
    : `and ${title} has ${tasks.join(" and ")} questions${task === undefined ? "" : ` but no ${task} questions`}`;
  throw new Failure(
    "wrong-setting",
    `Invalid --scorer ${JSON.stringify(given)}: ${name} scores ${scored.join(" and ")} questions, ${why}.`,
    { name: "scorer", given },
  );
}

/** The scorers that can score such questions. */
function namesFor(task: Task): string[] {
  const fit = scorers.all().filter(({ tasks = TASKS }) => tasks.includes(task));
  return fit.map(({ name }) => name);
}

function known(name: string) {
  const scorer = scorers.find(name);
  if (scorer !== undefined) return scorer;
  throw new Failure(
    "wrong-setting",
    `Invalid --scorer ${JSON.stringify(name)}: use one of ${scorers.names().join(", ")}, or TASK=NAME such as open=${scorersFor("open")[0] ?? "NAME"}.`,
    { name: "scorer", given: name },
  );
}

function notRead(setting: string): Failure {
  const readers = scorers
    .all()
    .filter(({ settings = {} }) => setting in settings)
    .map(({ name }) => name);
  return new Failure(
    "wrong-setting",
    `No scorer of this run reads ${flagOf(setting)}: leave it out, or add --scorer ${readers.join(" or ")}.`,
    { name: setting },
  );
}

/** `choice=letter, open=number (tolerance 0.01)`; empty without a scorer. */
export function scorersText(chosen: Scorers): string {
  return Object.entries(chosen)
    .map(([task, { name, settings }]) => {
      const declared = scorers.find(name)?.settings ?? {};
      const given = Object.entries(settings).map(
        ([key, value]) => `${key} ${declared[key]?.show?.(value) ?? value}`,
      );
      return `${task}=${name}${given.length === 0 ? "" : ` (${given.join(", ")})`}`;
    })
    .join(", ");
}
