import type { ChildProcess } from "node:child_process";
import { execa, type Result } from "execa";
import { z } from "zod";
import { countOf } from "../../src/core/count-of.ts";
import { Failure, oneLine } from "../../src/core/errors.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { programText, type StoredProgram } from "../../src/core/program.ts";

/** A line to the program; `id` is that of the sample. */
export type ProgramInput = Readonly<Record<string, unknown>> & { id: string };

/** The program's score of one reply. */
export interface ProgramScore {
  value: number;
  explanation: string | null;
}

const MOST_PER_LINE = 64 * 1024;
const STDERR_SHOWN = 1000;
/** The last output of a program that was stopped arrives within this time. */
const CLOSE_AFTER_MS = 300;

const Line = z.looseObject({
  id: z.string().optional(),
  value: z.number({ error: "has to be a number from 0 to 1" }).min(0).max(1),
  explanation: z.string({ error: "has to be a text" }).nullish(),
});

/**
 * Starts a program once, writes it a JSON line for each input, and reads one line for each, in their order. The program
 * is not started by a shell.
 *
 * Throws `Failure` `scorer-failed`, which names the line, for a program that cannot be started, ends with another exit
 * code than 0, takes longer than `timeout_s`, writes too much, or writes a line that is not a score; `cancelled`.
 */
export async function runProgram(
  program: StoredProgram,
  inputs: readonly ProgramInput[],
  { timeout_s, signal }: { timeout_s: number; signal?: AbortSignal },
): Promise<ProgramScore[]> {
  if (signal?.aborted) throw cancelled();
  const subprocess = execa(program.command, program.args, {
    input: inputs.map((input) => `${JSON.stringify(input)}\n`).join(""),
    reject: false,
    stripFinalNewline: false,
    maxBuffer: { stdout: MOST_PER_LINE * (inputs.length + 1), stderr: 1024 * 1024 },
    timeout: timeout_s * 1000,
    cancelSignal: signal,
    killSignal: "SIGKILL",
    // A script's own programs end with it.
    killDescendants: true,
  });
  const cancelClosing = closePipes(subprocess.nodeChildProcess, timeout_s, signal);
  const result = await subprocess;
  cancelClosing();
  if (result.isCanceled || signal?.aborted) throw cancelled();
  // Missing if another process held the output open.
  const lines = (result.stdout ?? "").split("\n").filter((line) => line.trim() !== "");
  const scores: ProgramScore[] = [];
  for (const [place, line] of lines.entries()) {
    // The last line of a stopped program may be incomplete.
    if (result.failed && place === lines.length - 1) break;
    scores.push(readLine(line, place, inputs, program, result));
  }
  const why = whyEnded(result, timeout_s, scores.length);
  if (why !== null) throw failure(program, why, result);
  if (scores.length < inputs.length)
    throw failure(
      program,
      `wrote ${scores.length} lines for ${inputs.length} replies: line ${scores.length + 1} (sample ${inputs[scores.length]?.id}) is missing`,
      result,
    );
  return scores;
}

/**
 * Closes the output of a program shortly after it was stopped, because another process that it left may hold it open.
 * Returns a function to call when the program has ended.
 */
function closePipes(child: ChildProcess, timeout_s: number, signal?: AbortSignal): () => void {
  const close = () =>
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, CLOSE_AFTER_MS).unref();
  const timer = setTimeout(close, timeout_s * 1000);
  signal?.addEventListener("abort", close, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", close);
  };
}

type Ended = Result<{ reject: false }>;

function readLine(
  line: string,
  place: number,
  inputs: readonly ProgramInput[],
  program: StoredProgram,
  result: Pick<Ended, "stderr">,
): ProgramScore {
  const input = inputs[place];
  const where = `line ${place + 1}${input === undefined ? "" : ` (sample ${input.id})`}`;
  const wrong = (what: string) => failure(program, `wrote a wrong ${where}: ${what}`, result);
  if (input === undefined)
    throw wrong(`there are only ${inputs.length} replies; it says ${oneLine(line, 80)}`);
  if (line.length > MOST_PER_LINE) throw wrong(`it has more than ${MOST_PER_LINE} characters`);
  const read = Line.safeParse(jsonOrUndefined(line));
  if (!read.success) {
    const [issue] = read.error.issues;
    const member = issue?.path.join(".");
    throw wrong(
      member
        ? `\`${member}\` has to be ${member === "value" ? "a number from 0 to 1" : "a text"}; it says ${oneLine(line, 80)}`
        : `it is not a JSON object such as {"value": 1}; it says ${oneLine(line, 80)}`,
    );
  }
  const { id, value, explanation } = read.data;
  if (id !== undefined && id !== input.id) throw wrong(`its \`id\` is ${JSON.stringify(id)}`);
  return { value, explanation: explanation == null ? null : oneLine(explanation, 500) };
}

function whyEnded(result: Ended, timeout_s: number, read: number): string | null {
  const after = `after ${countOf(read, "line")}`;
  if (!result.failed) return null;
  if (result.timedOut) return `was stopped after ${timeout_s} s, ${after}: raise --scorer-timeout`;
  if (result.isMaxBuffer) return "wrote too much";
  if (result.exitCode !== undefined) return `ended with exit code ${result.exitCode} ${after}`;
  if (result.signal !== undefined) return `was ended by ${result.signal} ${after}`;
  return `could not be started: ${oneLine(result.originalMessage ?? "unknown reason")}`;
}

function cancelled(): Failure {
  return new Failure("cancelled", "Interrupted: run the same command again to continue.");
}

function failure(program: StoredProgram, what: string, { stderr }: Pick<Ended, "stderr">): Failure {
  const said = typeof stderr === "string" ? stderr.trim() : "";
  const tail = said.length > STDERR_SHOWN ? `…${said.slice(-STDERR_SHOWN)}` : said;
  return new Failure(
    "scorer-failed",
    `The scorer command ${programText(program)} ${what}.${tail === "" ? "" : ` Its error output: ${oneLine(tail, STDERR_SHOWN)}`}`,
    { command: program.command, stderr: tail },
  );
}
