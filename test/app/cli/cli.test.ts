import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createProgram } from "../../../src/app/cli/program.ts";
import { compose } from "../../../src/media/compose.ts";
import { sharp } from "../../../src/media/sharp.ts";
import { makeClip, readCode } from "../../support/clips.ts";
import { CLI, runCommand } from "../../support/command-line.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let lesson: string;

beforeAll(async () => {
  folder = await tempFolder();
  lesson = join(folder, "lesson.mp4");
  await compose(
    {
      width: 160,
      height: 90,
      fps: 5,
      segments: [
        { kind: "picture", duration_s: 12, picture: { background: "#204060", shapes: [] } },
      ],
      subtitles: {
        where: "embedded",
        captions: [
          { start_s: 1, end_s: 4, text: "The lighthouse stands on a cliff in Cornwall." },
          { start_s: 5, end_s: 8, text: "Its lamp was lit for the first time by a baker." },
        ],
      },
    },
    lesson,
  );
});

const NO_KEYS = { OPENAI_API_KEY: "", GOOGLE_API_KEY: "", GEMINI_API_KEY: "", OPENAI_BASE_URL: "" };
const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(folder, args, { ...NO_KEYS, ...env });

test("ask answers from the subtitles, cites the second, and reports that no model was used", async () => {
  const { code, out } = await run([
    "ask",
    lesson,
    "Where does the lighthouse stand?",
    "--options",
    "On an island in Wales",
    "On a cliff in Cornwall",
    "In a harbour",
  ]);
  expect(code).toBe(0);
  expect(out).toContain("(B) On a cliff in Cornwall");
  expect(out).toMatch(/00:01-00:04 {2}subtitle: The lighthouse stands on a cliff in Cornwall\./);
  expect(out).toContain("no language model was used");
});

test("the evidence page of an order shows its goal", async () => {
  const clips = join(folder, "clips.mp4");
  await makeShuffled(clips, 2);
  const asked = ["ask", clips, "--order", "--goal", "Finish the bowl", "--strategy", "random"];
  expect(await run([...asked, "--html", "order.html"])).toMatchObject({ code: 0 });
  const page = await readFile(join(folder, "order.html"), "utf8");
  expect(page).toContain("<h1>In which order do the clips belong?</h1>");
  expect(page).toContain('<p><span class="soft">Goal: </span>Finish the bowl</p>');
});

test("--json prints one value with answer and evidence, and nothing else on standard output", async () => {
  const { code, out } = await run([
    "ask",
    lesson,
    "Who lit the lamp for the first time?",
    "--json",
  ]);
  expect(code).toBe(0);
  const { answer, evidence } = JSON.parse(out);
  expect(answer).toMatchObject({ status: "answered", cited_by: "code", usage: { calls: 0 } });
  expect(
    answer.cites.every((id: string) =>
      evidence.items.some((item: { id: string }) => item.id === id),
    ),
  ).toBe(true);
});

test("a question without an answer in the evidence ends with exit code 1", async () => {
  const { code, out } = await run([
    "ask",
    lesson,
    "How many ships sank?",
    "--options",
    "Two",
    "Five",
    "Nine",
  ]);
  expect(code).toBe(1);
  expect(out).toContain("Not answered");
});

test("an open question without an answer gets the nearest moments", async () => {
  const { code, out } = await run(["ask", lesson, "Why do zebras bark?"]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^No moment contains the words of the question\. The nearest moments are listed\.\n\nNearest moments:\n {2}1 {2}\d\d:\d\d/,
  );
  expect(out).not.toContain("Evidence (");
});

test("--show-request prints the request with media as hashes, without a key and without sending", async () => {
  const { code, out } = await run([
    "ask",
    lesson,
    "What is shown?",
    "--strategy",
    "direct",
    "--model",
    "openai:gpt-4.1",
    "--frames",
    "3",
    "--show-request",
  ]);
  expect(code).toBe(0);
  const { method, url, body } = JSON.parse(out);
  expect({ method, url }).toEqual({
    method: "POST",
    url: "https://api.openai.com/v1/chat/completions",
  });
  expect(JSON.stringify(body).match(/sha256:[0-9a-f]{64}/g)).toHaveLength(3);
  expect(JSON.stringify(body)).toContain("What is shown?");
});

test("with a model and no strategy, ask says which strategy it chose", async () => {
  const asked = ["ask", lesson, "What is shown?", "--model", "openai:gpt-4.1", "--ocr", "off"];
  const { code, out, err } = await run([...asked, "--show-request"]);
  expect(code, err).toBe(0);
  expect(err).toContain("Strategy rrd: the default with a model. Pass --strategy to use another.");
  expect(JSON.stringify(JSON.parse(out).body)).toContain("Describe part");
});

describe("wrong usage prints one sentence with the expected and the given value", () => {
  const cases: [string, string[], number, RegExp][] = [
    ["a missing file", ["ask", "nowhere.mp4", "What?"], 1, /nowhere\.mp4/],
    ["a folder", ["probe", "."], 1, /folder/],
    ["a text file", ["probe", "notes.txt"], 1, /notes\.txt/],
    ["an empty file", ["frames", "empty.mp4"], 1, /empty/],
    [
      "a number that is none",
      [
        "ask",
        "lesson.mp4",
        "What?",
        "--strategy",
        "direct",
        "--model",
        "openai:x",
        "--frames",
        "many",
      ],
      2,
      /Invalid --frames "many" .*: use a whole number from 1 to 2048/,
    ],
    [
      "an unknown strategy",
      ["ask", "lesson.mp4", "What?", "--strategy", "magic"],
      2,
      /Invalid --strategy "magic" .*: use one of direct, /,
    ],
    [
      "a setting that the strategy does not read",
      ["ask", "lesson.mp4", "What?", "--strategy", "blind", "--model", "openai:x", "--frames", "4"],
      2,
      /`blind` does not read `--frames`/,
    ],
    ["no model", ["ask", "lesson.mp4", "What?", "--strategy", "direct"], 2, /--model/],
    [
      "no key",
      ["ask", "lesson.mp4", "What?", "--strategy", "direct", "--model", "openai:gpt-4.1"],
      1,
      /OPENAI_API_KEY/,
    ],
    [
      "an unknown provider",
      ["ask", "lesson.mp4", "What?", "--strategy", "direct", "--model", "acme:x"],
      2,
      /acme/,
    ],
    [
      "samples of a strategy without a model",
      ["ask", "lesson.mp4", "What?", "--samples", "5"],
      2,
      /^--samples asks a model several times, and the strategy extractive asks none: leave it out, or choose a strategy with a model, such as rrd\.$/m,
    ],
    ["--order without a goal", ["ask", "lesson.mp4", "--order"], 2, /--goal/],
    ["no question", ["ask", "lesson.mp4"], 2, /No question given/],
    [
      "a prompts folder that is not there",
      [
        "ask",
        "lesson.mp4",
        "What?",
        "--strategy",
        "blind",
        "--model",
        "openai:x",
        "--prompts",
        "nowhere",
        "--base-url",
        "http://127.0.0.1:9/v1",
      ],
      1,
      /nowhere/,
    ],
    ["an unknown command", ["aks"], 2, /unknown command 'aks'/],
    [
      "a sampler of times without times",
      ["frames", "lesson.mp4", "--sampler", "times"],
      2,
      /^No times given\. .* --at 12 90\.5\.$/m,
    ],
    [
      "times for a sampler that does not read them",
      ["frames", "lesson.mp4", "--sampler", "ends", "--at", "12"],
      2,
      /^The sampler ends does not read --at\. Leave out --at, or pass --sampler times\.$/m,
    ],
    [
      "an empty option",
      ["ask", "lesson.mp4", "What?", "--options", "", "B"],
      2,
      /option 1 is empty/,
    ],
    [
      "an equation without unknowns",
      ["calculate", "x+1=2"],
      2,
      /"x\+1=2" is an equation\. .* --solve x/,
    ],
    ["a wrong sampler count", ["frames", "lesson.mp4", "--frames", "0"], 2, /--frames/],
  ];
  beforeAll(async () => {
    await writeFile(join(folder, "notes.txt"), "These are notes and no video.\n");
    await writeFile(join(folder, "empty.mp4"), "");
    await mkdir(join(folder, "sub"), { recursive: true });
  });
  test.each(cases)("%s", async (_name, args, expected, message) => {
    const { code, err } = await run(args);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at |node:internal/);
    expect(code).toBe(expected);
  });
});

test("frames --out writes each frame to a file of its own, also at 2500 frames a second", async () => {
  const encode = ["-c:v", "libx264", "-bf", "0", "-video_track_timescale", "10000"];
  const film = await makeClip(folder, "fast.mp4", { frames: 20, rate: 2500, encode });
  const out = join(folder, "fast");
  const flags = ["--frames", "20", "--out", out, "--json"];
  const { code, out: printed } = await run(["frames", film, ...flags]);
  expect(code).toBe(0);
  const names = Array.from(
    { length: 20 },
    (_, i) => `00000.${String(400 * i).padStart(6, "0")}.jpg`,
  );
  expect((await readdir(out)).sort()).toEqual(names);
  const rows = z.array(z.object({ path: z.string() })).parse(JSON.parse(printed));
  const shown = await Promise.all(
    rows.map(async ({ path }) => readCode(await sharp(path).raw().toBuffer(), 320, 3)),
  );
  expect(shown).toEqual(Array.from({ length: 20 }, (_, i) => i));
  const few = join(folder, "few");
  await run(["frames", film, "--at", "0", "0.008", "--out", few]);
  expect((await readdir(few)).sort()).toEqual(["00000.000.jpg", "00000.008.jpg"]);
  const late = await run(["frames", film, "--at", "0", "1e9"]);
  expect(late.err).toMatch(
    /^note: the video ends at \d+\.\d{3} s; for 1000000000 s the last frame is returned\.$/m,
  );
});

test.each(["stdout", "stderr"] as const)(
  "a reader of %s that leaves early, as `head -1` does, changes neither the work nor its exit code",
  async (name) => {
    const child = spawn(process.execPath, [CLI, "ask", lesson, "Who lit the lamp?"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child[name].destroy();
    let said = "";
    child[name === "stdout" ? "stderr" : "stdout"].on("data", (data) => {
      said += String(data);
    });
    const code = await new Promise((done) => child.once("close", done));
    expect(said).not.toMatch(/EPIPE|node:/);
    expect(code).toBe(0);
    if (name === "stderr") expect(said).toContain("by a baker");
  },
);

test("every command's help shows an example", async () => {
  const { commands } = await createProgram("all");
  expect(commands.map((command) => command.name())).toEqual(
    expect.arrayContaining(["ask", "demo", "probe", "frames", "cards", "doctor"]),
  );
  for (const command of commands.flatMap((one) => [one, ...one.commands])) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help, command.name()).toMatch(/Examples?:\n {2}\$ video-rrd /);
  }
});

test("doctor names the keys, never their values", async () => {
  const { out } = await run(["doctor", "--json"], { OPENAI_API_KEY: "sk-secret-value" });
  expect(JSON.parse(out).map((finding: { what: string }) => finding.what)).toEqual(
    expect.arrayContaining(["Node", "ffmpeg", "OCR data", "OPENAI_API_KEY", "GOOGLE_API_KEY"]),
  );
  expect(out).not.toContain("sk-secret-value");
});

test("doctor offers a package of models only if it is not installed", async () => {
  const { out } = await run(["doctor", "--json"]);
  const findings = JSON.parse(out) as { what: string; found: string }[];
  const { found = "" } = findings.find(({ what }) => what === "LangChain packages") ?? {};
  const [installed = "", offered = ""] = found.split(" (to add models: ");
  expect(installed).toContain("@langchain/anthropic");
  expect(offered).toMatch(/@langchain\/\S+\)$/);
  expect(installed.split(", ")).not.toContain(offered.slice(0, -1).split(" ").at(-1));
});

test("doctor says that there is no engine for speech, and checks one that is named", async () => {
  const speechOf = async (...flags: string[]) => {
    const { code, out } = await run(["doctor", "--json", ...flags]);
    const findings = JSON.parse(out) as { what: string; state: string; found: string }[];
    return { code, ...findings.find(({ what }) => what === "speech") };
  };
  expect(await speechOf()).toMatchObject({
    code: 0,
    state: "limited",
    found: "no engine, so the sound of videos without subtitles is not heard",
  });
  expect(await speechOf("--transcriber", "command:no-such-program {audio}")).toMatchObject({
    code: 1,
    state: "missing",
    found: expect.stringContaining("Cannot start the transcriber no-such-program"),
  });
});

test("forget removes everything of a video", async () => {
  await run(["ask", lesson, "Who lit the lamp?", "--data-dir", "store-2"]);
  const { code, out } = await run(["forget", lesson, "--data-dir", "store-2"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Removed all stored data of \S+lesson\.mp4 from store-2: [\d.]+ [kM]B\. /);
  const again = await run(["forget", lesson, "--data-dir", "store-2"]);
  expect([again.code, again.out]).toEqual([0, `Nothing was stored of ${lesson} in store-2.\n`]);
});
