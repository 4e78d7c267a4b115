import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runProgram } from "../../../evals/graders/run-program.ts";
import { isFailure } from "../../../src/core/errors.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { Program, programText } from "../../../src/core/program.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

/** A program of these lines of JavaScript; `line(input)` is called for each line of input. */
async function program(body: string, name = "grade.mjs") {
  const file = join(folder, name);
  await writeFile(
    file,
    `import { createInterface } from "node:readline";
     const write = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value));
     ${body}
     for await (const text of createInterface({ input: process.stdin })) line(JSON.parse(text));`,
  );
  return Program.parse(`${process.execPath} ${file}`);
}

const inputs = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `q${place + 1}`, reply: `r${place + 1}` }));

async function refusal(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFailure(error)) throw new Error("Expected a Failure.", { cause: error });
  return error;
}

test("one line goes in and out for each reply, in order, by one process", async () => {
  const graded = await program(
    "let n = 0; function line({ id, reply }) { n++; write({ id, value: 1 / n, explanation: reply + ' is ' + n }); }",
  );
  expect(await runProgram(graded, inputs(3), { timeout_s: 20 })).toEqual([
    { value: 1, explanation: "r1 is 1" },
    { value: 1 / 2, explanation: "r2 is 2" },
    { value: 1 / 3, explanation: "r3 is 3" },
  ]);
  const many = Program.parse('sed s/.*/{"value":0}/');
  expect(await runProgram(many, inputs(20_000), { timeout_s: 60 })).toHaveLength(20_000);
});

/** Lines that a program writes once it has read all of its input. */
const says = (...lines: string[]) =>
  `cat > /dev/null\n${lines.map((line) => `echo '${line}'`).join("\n")}`;
const RIGHT = '{"value": 1}';

test.each([
  [says("fine"), /wrote a wrong line 1 \(sample q1\): it is not a JSON object .* it says fine/],
  [says("[1]"), /line 1 \(sample q1\): it is not a JSON object/],
  [
    says(RIGHT, '{"value": 1.5}'),
    /line 2 \(sample q2\): `value` has to be a number from 0 to 1; it says \{"value": 1\.5\}/,
  ],
  [says('{"value": "1"}'), /line 1 .*`value` has to be a number/],
  [says('{"value": null}'), /line 1 .*`value` has to be a number/],
  [says('{"value": 1, "explanation": 7}'), /line 1 .*`explanation` has to be a text/],
  [says(RIGHT, '{"value": 1, "id": "q1"}'), /line 2 \(sample q2\): its `id` is "q1"/],
  [says(RIGHT, RIGHT), /wrote 2 lines for 3 replies: line 3 \(sample q3\) is missing/],
  [says(RIGHT, RIGHT, RIGHT, RIGHT), /wrote a wrong line 4: there are only 3 replies/],
  [says(`{"value": 1, "x": "${"x".repeat(70_000)}"}`), /line 1 .*more than 65536 characters/],
  [
    `${says(RIGHT, RIGHT)}\necho no key >&2\nexit 3`,
    /ended with exit code 3 after \d lines?\. Its error output: no key/,
  ],
  ["kill -TERM $$", /was ended by SIGTERM after 0 lines/],
  ["exit 0", /wrote 0 lines for 3 replies: line 1 \(sample q1\) is missing/],
])("%.60s", async (body, message) => {
  const file = join(folder, "grade.sh");
  await writeFile(file, body);
  const failed = await refusal(
    runProgram(Program.parse(`sh ${file}`), inputs(3), { timeout_s: 20 }),
  );
  expect(failed.kind).toBe("scorer-failed");
  expect(failed.message).toMatch(message);
  expect(failed.message).toMatch(/^The scorer command sh .*grade\.sh /);
});

test("a program that hangs or never stops writing is stopped", async () => {
  const hangs = Program.parse("sleep 60");
  const late = await refusal(runProgram(hangs, inputs(1), { timeout_s: 0.5 }));
  expect(late.message).toMatch(/was stopped after 0.5 s, after 0 lines: raise --scorer-timeout/);
  const floods = Program.parse("yes");
  expect((await refusal(runProgram(floods, inputs(1), { timeout_s: 30 }))).message).toMatch(
    /wrote (too much|a wrong line 1)/,
  );
  const controller = new AbortController();
  const stopped = refusal(
    runProgram(hangs, inputs(1), { timeout_s: 30, signal: controller.signal }),
  );
  controller.abort();
  expect((await stopped).kind).toBe("cancelled");
});

test.each(["sleep 20 & wait", "setsid sleep 20 & wait", "setsid sleep 20 & exit 0"])(
  "a program with a child is stopped in time: %s",
  async (body) => {
    const file = join(folder, "child.sh");
    await writeFile(file, `echo '${RIGHT}'\n${body}`);
    const script = Program.parse(`sh ${file}`);
    const start = performance.now();
    const late = await refusal(runProgram(script, inputs(2), { timeout_s: 1 }));
    expect(late.message).toMatch(/was stopped after 1 s, after \d lines?: raise --scorer-timeout/);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 500);
    const stopped = await refusal(
      runProgram(script, inputs(2), { timeout_s: 60, signal: controller.signal }),
    );
    expect(stopped.kind).toBe("cancelled");
    expect(performance.now() - start).toBeLessThan(10_000);
  },
);

test("a program is not started after the signal was aborted", async () => {
  const late = Program.parse("setsid sleep 5");
  const signal = AbortSignal.abort();
  const stopped = refusal(runProgram(late, inputs(1), { timeout_s: 30, signal }));
  expect(process.getActiveResourcesInfo()).not.toContain("ProcessWrap");
  expect((await stopped).kind).toBe("cancelled");
});

test("a program is stored with its arguments and the hashes of its files", async () => {
  const file = join(folder, "my grade.sh");
  await writeFile(file, "#!/bin/sh\ncat\n");
  expect(Program.safeParse(file.replace(" ", "\\ ")).success).toBe(false);
  await chmod(file, 0o755);
  const read = Program.parse(`${file.replace(" ", "\\ ")} --strict ${join(folder, "none.txt")}`);
  expect(read).toEqual({
    command: file,
    args: ["--strict", join(folder, "none.txt")],
    files: [{ path: file, sha256: sha256("#!/bin/sh\ncat\n") }],
  });
  expect(Program.parse(read)).toEqual(read);
  expect(programText(read)).toBe(`'${file}' --strict ${join(folder, "none.txt")}`);
  expect(Program.parse("sh -c true").files).toHaveLength(1);
  for (const wrong of ["", "   ", "no-such-program --x", "./grade.mjs", folder])
    expect(Program.safeParse(wrong).success).toBe(false);
});

test("the program is started as it is, and not by a shell", async () => {
  const echo = await program(
    "function line() { write({ value: 1, explanation: process.argv.slice(2).join('|') }); }",
  );
  const given = { ...echo, args: [...echo.args, "$(id)", "; rm x", "*"] };
  expect(await runProgram(given, inputs(1), { timeout_s: 20 })).toEqual([
    { value: 1, explanation: "$(id)|; rm x|*" },
  ]);
});
