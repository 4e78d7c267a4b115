import { besideRounds } from "./machine.ts";
import { below, type Measured, median, told } from "./measured.ts";
import type { ProcessUse } from "./measured-command.ts";
import { withTextRun } from "./text-run.ts";

const QUESTIONS = 1000;
const CONNECTIONS = 64;
const ROUNDS = 3;

/**
 * 1,000 questions without pictures, 200 ms a call, 64 calls in flight; the same from the memo: the packaged command,
 * three times, medians. Compared with the time that the calls take, and with promptfoo if `PROMPTFOO` is the path of its
 * program. On a slower machine the limits allow as much more of what is not waiting.
 */
export async function bench(): Promise<Measured[]> {
  return withTextRun(QUESTIONS, async (run) => {
    const program = process.env.PROMPTFOO;
    const fresh: ProcessUse[] = [];
    const again: ProcessUse[] = [];
    const other: ProcessUse[] = [];
    // Fills the cache of compiled code.
    await run.eval(CONNECTIONS, "warm");
    const { call_ms, slower } = await besideRounds(ROUNDS, async (round) => {
      fresh.push(await run.eval(CONNECTIONS, `store-${round}`));
      again.push(await run.eval(CONNECTIONS, `store-${round}`));
      if (program !== undefined) other.push(await run.promptfoo(program, CONNECTIONS));
    });
    const of = (uses: readonly ProcessUse[], what: keyof ProcessUse) =>
      median(uses.map((use) => use[what]));
    const ideal = run.ideal(CONNECTIONS);
    const perQuestion = (cpu_s: number) => (cpu_s * 1000) / QUESTIONS;
    const cpu_ms = perQuestion(of(fresh, "cpu_s"));
    return [
      told("CPU time of a plain fetch call", call_ms, "ms"),
      below("process time / time of its calls", of(fresh, "alive_s") / ideal, "", 1 + 0.5 * slower),
      below("CPU time of a question, start included", cpu_ms, "ms", 4 * slower),
      told("the same / CPU time of a plain fetch call", cpu_ms / call_ms, ""),
      below("process time from the memo", of(again, "alive_s"), "s", 2.5 * slower),
      below("peak memory", of(fresh, "peak_mb"), "MB", 250),
      ...(other.length === 0
        ? []
        : [
            below(
              "process time / promptfoo's",
              of(fresh, "alive_s") / of(other, "alive_s"),
              "",
              0.39,
            ),
            below("CPU time / promptfoo's", of(fresh, "cpu_s") / of(other, "cpu_s"), "", 0.38),
            below(
              "peak memory / promptfoo's",
              of(fresh, "peak_mb") / of(other, "peak_mb"),
              "",
              0.62,
            ),
            told("promptfoo, process time / time of its calls", of(other, "alive_s") / ideal, ""),
            told("promptfoo, CPU time of a question", perQuestion(of(other, "cpu_s")), "ms"),
            told("promptfoo, peak memory", of(other, "peak_mb"), "MB"),
          ]),
    ];
  });
}
