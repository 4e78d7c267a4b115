import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { runProgram } from "../../src/media/run-program.ts";
import { tempFolder } from "../support/temp.ts";

const LIMITS = { timeout_s: 20, maxOutput: 1_000_000 };

function shell(script: string, options: Partial<Parameters<typeof runProgram>[1]> = {}) {
  return runProgram({ command: "sh", args: ["-c", script] }, { ...LIMITS, ...options });
}

/** Whether a process exists and is not just waiting to be collected. */
async function isAlive(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

async function hasEnded(pid: string): Promise<boolean> {
  for (let tries = 0; tries < 500 && (await isAlive(pid)); tries++) await wait(20);
  return !(await isAlive(pid));
}

test("standard output is returned whole, and read as it comes", async () => {
  const parts: string[] = [];
  const heard = join(await tempFolder(), "heard");
  const onOutput = (text: string) => {
    parts.push(text);
    writeFileSync(heard, "");
  };
  const script = `printf 'één '; until [ -e ${heard} ]; do sleep 0.02; done; printf twee; echo noise >&2`;
  expect(await shell(script, { onOutput })).toBe("één twee");
  expect(parts).toEqual(["één ", "twee"]);
});

test("arguments are passed as they are, without a shell", async () => {
  const args = ["%s|%s", "$HOME", "a b; rm -rf *"];
  expect(await runProgram({ command: "printf", args }, LIMITS)).toBe("$HOME|a b; rm -rf *");
});

test("a program that fails is named with its exit code and its last words", async () => {
  const script = "for n in 1 2 3 4 5 6; do echo line $n >&2; done; exit 3";
  await expect(shell(script)).rejects.toMatchObject({
    kind: "program-failed",
    message: expect.stringMatching(
      /ended with exit code 3\. .* ends: line 3 \/ line 4 \/ line 5 \/ line 6$/,
    ),
    facts: { code: 3 },
  });
  await expect(shell("kill -TERM $$")).rejects.toMatchObject({
    message: expect.stringContaining("was ended by SIGTERM"),
  });
  const missing = runProgram({ command: "no-such-program", args: [] }, LIMITS);
  await expect(missing).rejects.toMatchObject({
    kind: "program-failed",
    message: expect.stringMatching(
      /^no-such-program cannot be started: there is no program "no-such-program"\.$/,
    ),
  });
});

test("everything that a program started ends with an abort, the time limit, too much output, and its own exit", async () => {
  const folder = await tempFolder();
  const pidOf = async (name: string) => (await readFile(join(folder, name), "utf8")).trim();
  const child = (name: string) => `sleep 300 & echo $! > ${join(folder, name)};`;

  const stop = new AbortController();
  const aborted = shell(`${child("abort")} echo started; wait`, {
    signal: stop.signal,
    onOutput: () => stop.abort(),
  });
  await expect(aborted).rejects.toMatchObject({ kind: "cancelled" });
  const late = shell(`${child("late")} wait`, { timeout_s: 0.5, hint: "Raise --limit." });
  await expect(late).rejects.toMatchObject({
    message: expect.stringMatching(/took longer than 0\.5 s and was stopped\. Raise --limit\.$/),
  });
  const loud = shell(`${child("loud")} yes`, { maxOutput: 10_000 });
  await expect(loud).rejects.toMatchObject({
    message: expect.stringContaining("wrote more than 10000 bytes"),
  });
  expect(await shell(`${child("left")} echo done`)).toBe("done\n");
  for (const name of ["abort", "late", "loud", "left"])
    expect(await hasEnded(await pidOf(name)), name).toBe(true);
});

test.each(["SIGKILL", "SIGTERM"] as const)(
  "everything that a program started ends when the process that runs it ends by %s",
  async (signal) => {
    const folder = await tempFolder();
    const script = `sleep 300 & echo $$ $! > ${join(folder, "pids")}; wait`;
    const module = new URL("../../src/media/run-program.ts", import.meta.url);
    const code = `import { runProgram } from ${JSON.stringify(module.href)};
    await runProgram({ command: "sh", args: ["-c", ${JSON.stringify(script)}] }, ${JSON.stringify(LIMITS)});`;
    const runner = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: "inherit",
    });
    const pids = async () =>
      (await readFile(join(folder, "pids"), "utf8").catch(() => "")).split(/\s+/).filter(Boolean);
    for (let tries = 0; tries < 1000 && (await pids()).length < 2; tries++) await wait(20);
    const started = await pids();
    expect(started).toHaveLength(2);
    runner.kill(signal);
    for (const pid of started) expect(await hasEnded(pid)).toBe(true);
  },
);

test("a program does nothing before its group is watched, and ends if this never happens", async () => {
  const folder = await tempFolder();
  const module = new URL("../../src/media/end-with-process.ts", import.meta.url);
  const args = ["-c", `echo $$ > ${join(folder, "made")}; wait`];
  const code = `import { spawn } from "node:child_process";
    import { endWithProcess } from ${JSON.stringify(module.href)};
    const { command, args } = endWithProcess().gated({ command: "sh", args: ${JSON.stringify(args)} });
    const { pid } = spawn(command, args, { stdio: ["ignore", "ignore", "ignore", "pipe"], detached: true });
    console.log(pid);
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 300);`;
  const runner = spawn(process.execPath, ["--input-type=module", "-e", code]);
  const [printed] = (await once(runner.stdout, "data")) as [Buffer];
  await once(runner, "close");
  expect(await hasEnded(String(printed).trim())).toBe(true);
  await expect(readFile(join(folder, "made"))).rejects.toThrow();
});

test("a signal that has aborted starts nothing", async () => {
  const file = join(await tempFolder(), "made");
  const signal = AbortSignal.abort();
  await expect(shell(`touch ${file}`, { signal })).rejects.toMatchObject({ kind: "cancelled" });
  await expect(readFile(file)).rejects.toThrow();
});
