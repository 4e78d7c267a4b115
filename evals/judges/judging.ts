import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { z } from "zod";
import type { RunHeader, RunLog } from "../../src/core/contracts.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine, systemCode, toFailure } from "../../src/core/errors.ts";
import { ModuleFile } from "../../src/core/loaded-modules.ts";
import { Usage } from "../../src/core/shapes.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { readPaid } from "../run/paid-log.ts";

/*
 * Judgements on a run's replies: a folder in `judgements/` of the run for each kind, judge and
 * settings, laid out as a run itself is (`header.json`, `samples.jsonl`), append-only.
 */

const FOLDER = "judgements";
const FORMAT = 1;

const Header = z.looseObject({
  run: z.string().min(1),
  format: z.int(),
  status: z.enum(["running", "finished", "stopped", "failed"]),
  created_at: z.string(),
  /** The kind of judge. */
  kind: z.string(),
  /** `provider:model`. */
  judge: z.string(),
  benchmark: z.string(),
  settings: z.record(z.string(), z.unknown()),
  prompts: z.record(z.string(), z.string()),
  /** No frames went along although the kind looks at them. */
  text_only: z.boolean(),
  /** Files of users' own code that were loaded. */
  modules: z.array(ModuleFile).optional(),
});
/** What a judging was begun with. */
export type JudgingHeader = z.infer<typeof Header> & RunHeader;

/** A part of a reply as it was judged; `value` is of the kind's own schema. */
const JudgedPart = z.object({
  value: z.unknown(),
  why: z.string().nullable(),
  replies: z.array(z.string()),
});
export type JudgedPart = z.infer<typeof JudgedPart>;

/** The judgement of one reply, a line of `samples.jsonl`. */
export const JudgementLine = z.object({
  /** Which reply: `replyKey`. */
  sample: z.string(),
  /** Judge run, from 1. */
  epoch: z.int().min(1),
  of: z.object({ sample: z.string(), epoch: z.int() }),
  attempt: z.int().min(0),
  parts: z.array(JudgedPart),
  /** Frames that each call showed. */
  frames: z.int(),
  usage: Usage,
  /** Memo keys of the calls. */
  calls: z.array(z.string()),
  error: z.object({ kind: z.string(), message: z.string() }).optional(),
  started_at: z.string(),
  seconds: z.number(),
});
export type JudgementLine = z.infer<typeof JudgementLine>;

/** All judgements of one judge with one set of settings. */
export interface Judging {
  folder: string;
  header: JudgingHeader;
  lines: JudgementLine[];
  /** Dollars paid in all, also for judgements that were interrupted or repeated, whose payments no line has. */
  paid: number;
}

/**
 * The folder that judgements of a run or response file lie below: the run's own, or one under `runs/` named after the
 * file. Throws `Failure` `not-found`.
 */
export async function judgedFolder(path: string): Promise<string> {
  const kind = await stat(path).catch((error: unknown) => {
    throw new Failure(
      "not-found",
      `Cannot open ${path}: give the folder of a run or a response file.`,
      { path },
      { cause: error },
    );
  });
  return kind.isDirectory() ? path : join("runs", basename(path, extname(path)));
}

/** Where a judging of the results in `folder` lies; `identity` is the hash of all that its judgements depend on. */
export function judgingLog(folder: string, kind: string, judge: string, identity: string) {
  const model = judge.replace(/[^A-Za-z0-9.]+/g, "-").slice(0, 60);
  return openRunLog(join(folder, FOLDER, `${kind}-${model}-${identity.slice(0, 8)}`));
}

export function newJudgingHeader(
  rest: Omit<JudgingHeader, "format" | "status" | "created_at">,
): JudgingHeader {
  const at = new Date().toISOString();
  return { ...rest, format: FORMAT, status: "running", created_at: at } as JudgingHeader;
}

/** Throws `Failure` `store-format` for a newer version's, `data-malformed`; null where none was begun. */
export async function readJudging(log: RunLog): Promise<Judging | null> {
  const there = await log.readHeader().catch((error: unknown) => {
    if (error instanceof Failure && error.kind === "not-found") return null;
    throw error;
  });
  if (there === null) return null;
  if (there.format > FORMAT)
    throw new Failure(
      "store-format",
      `Cannot read the judgements in ${log.folder}: they have format ${there.format}, written by a newer version of video-rrd. This version reads format ${FORMAT}.`,
      { folder: log.folder, format: there.format },
    );
  const header = readAs(Header, there, log.folder) as JudgingHeader;
  const [{ samples }, paid] = await Promise.all([log.read(), readPaid(log.folder)]);
  const lines = samples.map((line) => readAs(JudgementLine, line, log.folder));
  const inLines = lines.reduce((sum, { usage }) => sum + (usage.paid ?? 0), 0);
  // Judgings of earlier versions have no file of payments, and one on a full disk lacks some.
  return { folder: log.folder, header, lines, paid: Math.max(paid ?? 0, inLines) };
}

/** A usage of whole judgings with what they paid; stays unknown if the price of a call is not known. */
export function withPaid(usage: Usage, judgings: readonly Pick<Judging, "paid">[]): Usage {
  if (usage.paid === null) return usage;
  return { ...usage, paid: judgings.reduce((sum, { paid }) => sum + paid, 0) };
}

/** Every judging of the results in a folder, by name. Throws as `readJudging`. */
export async function readJudgings(folder: string): Promise<Judging[]> {
  const root = join(folder, FOLDER);
  const names = await readdir(root).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw toFailure(error, "file-unreadable", `reading ${root}`);
  });
  const read = await Promise.all(
    names.sort().map((name) => readJudging(openRunLog(join(root, name)))),
  );
  return read.filter((judging) => judging !== null);
}

function readAs<T>(schema: z.ZodType<T>, value: unknown, folder: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Failure(
    "data-malformed",
    `Invalid judgement in ${folder}: \`${issue?.path.join(".")}\` must be ${oneLine(describeExpected(issue), 80)}.`,
    { folder },
  );
}
