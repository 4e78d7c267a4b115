import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobContext } from "../../../src/core/job-context.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { commandTranscriber } from "../../../tools/speech/command-transcriber.ts";
import { checkTranscriber } from "../../../tools/speech/create-transcriber.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { tempFolder } from "../../support/temp.ts";

const SRT = "1\n00:00:01,000 --> 00:00:02,500\nHello there.\n";
const HELLO = { start_s: 1, end_s: 2.5, text: "Hello there.", confidence: null, speaker: null };

let folder: string;
let job: JobContext;
let video: Video;

beforeAll(async () => {
  folder = await tempFolder();
  job = { store: await openStore(join(folder, "store")), run: "test" };
  const { ffmpeg } = await findFfmpeg();
  const file = join(folder, "tone.mka");
  const tone = "sine=frequency=440:duration=3:sample_rate=44100";
  await promisify(execFile)(ffmpeg, ["-v", "error", "-f", "lavfi", "-i", tone, file]);
  video = await openVideo(file, job);
  await writeFile(join(folder, "hello.srt"), SRT);
});
afterAll(() => job.store.close());

let scripts = 0;

/** Transcribes with a shell script; `$1` is the sound, `$2` the output, `$3` their folder. */
async function transcribe(
  script: string,
  { signal, timeout_s = 20 }: { signal?: AbortSignal; timeout_s?: number } = {},
) {
  const file = join(folder, `engine-${++scripts}.sh`);
  await writeFile(file, `cd ${folder}\n${script}\n`);
  return transcribeWith(`command:sh ${file} {audio} {output} {folder}`, { signal, timeout_s });
}

function transcribeWith(
  command: string,
  {
    signal,
    timeout_s = 20,
    language,
  }: { signal?: AbortSignal; timeout_s?: number; language?: string } = {},
) {
  const ranges = [{ from_s: 0, to_s: 3 }];
  const track = { video, stream: 0, ranges };
  const transcriber = commandTranscriber(command, { timeout_s, language });
  return transcriber.transcribe(track, "speech", { ...job, signal });
}

test("the program gets 16 kHz mono WAV, and what it wrote is found wherever it wrote it", async () => {
  const kept = join(folder, "kept.wav");
  const json = JSON.stringify({ segments: [{ start: 1, end: 2.5, text: "Hello there." }] });
  const writings = [
    `cp "$1" ${kept}; cat hello.srt`,
    'cp hello.srt "$2"; echo Transcribing...',
    'cp hello.srt "$2.srt"',
    'cp hello.srt "$3/sound.srt"; echo "not a transcript" > "$3/sound.txt"',
    `printf '%s' '${json}' > "$1.json"; echo "WEBVTT" > "$3/sound.vtt"`,
  ];
  for (const script of writings)
    expect((await transcribe(script)).segments, script).toEqual([HELLO]);
  const wav = await readFile(kept);
  const [channels, rate] = [wav.readUInt16LE(22), wav.readUInt32LE(24)];
  expect([channels, rate]).toEqual([1, 16_000]);
  expect(Math.abs(wav.length - 3 * 32_000)).toBeLessThan(3200);
});

test("a transcript is stored until the program or the video changes", async () => {
  const script = join(folder, "counting.sh");
  const count = async () => (await readFile(join(folder, "count"), "utf8")).length;
  await writeFile(script, `echo "" >> ${folder}/count; cat ${folder}/hello.srt\n`);
  const command = `command:sh ${script} {audio}`;
  for (let times = 0; times < 3; times++) await transcribeWith(command);
  expect(await count()).toBe(1);
  await appendFile(script, "# another version\n");
  expect((await transcribeWith(command)).segments).toEqual([HELLO]);
  expect(await count()).toBe(2);
});

test("the folder of the sound is in the store, where a later start removes what a killed process left", async () => {
  const engine = join(folder, "killed.sh");
  await writeFile(engine, `echo "$1" > ${folder}/killed-sound; sleep 300\n`);
  const data = join(folder, "killed-store");
  const main = new URL("../../../src/app/cli/main.ts", import.meta.url).pathname;
  const command = `command:sh ${engine} {audio}`;
  const index = [main, "index", video.path, "--data-dir", data, "--transcriber", command];
  const killed = spawn(process.execPath, index, { stdio: "ignore" });
  const sound = () => readFile(join(folder, "killed-sound"), "utf8").catch(() => "");
  await expect.poll(sound, { timeout: 60_000, interval: 50 }).not.toBe("");
  const left = dirname((await sound()).trim());
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(dirname(left)).toBe(join(data, "tmp"));
  expect(existsSync(left)).toBe(true);
  await (await openStore(data)).close();
  expect(existsSync(left)).toBe(false);
});

test("the language is filled in, and another one is transcribed again", async () => {
  const script = join(folder, "language.sh");
  await writeFile(script, `echo "$2" >> ${folder}/languages; cat ${folder}/hello.srt\n`);
  const command = `command:sh ${script} {audio} --language={language}`;
  for (const language of ["de", "pt-BR", "de"]) await transcribeWith(command, { language });
  expect(await readFile(join(folder, "languages"), "utf8")).toBe(
    "--language=de\n--language=pt-BR\n",
  );
  const refused = (transcriber: string, speech_language: string | null) => () =>
    checkTranscriber(
      readSettings({ strategy: "extractive", recognition: { transcriber, speech_language } }),
    );
  expect(refused(command, null)).toThrow("pass the language for {language} with --speech-language");
  expect(refused("command:sh {audio}", "de")).toThrow(
    "Invalid --speech-language de: the command of --transcriber does not take it.",
  );
  expect(refused(command, "../x")).toThrow("use a code of a language with two or three letters");
  expect(() => readSettings({ recognition: { speech_language: "de" } })).toThrow(
    "Invalid --speech-language de: no engine transcribes speech.",
  );
});

test("segments outside the ranges that hold sound are left out", async () => {
  const silence = commandTranscriber(`command:cat ${folder}/hello.srt {audio}`, { timeout_s: 20 });
  const track = { video, stream: 0, ranges: [] };
  expect(await silence.transcribe(track, "speech", job)).toEqual({ segments: [], unheard: [] });
  const later = { ...track, ranges: [{ from_s: 2.6, to_s: 3 }] };
  const script = join(folder, "later.sh");
  await writeFile(script, `cat ${folder}/hello.srt`);
  const heard = commandTranscriber(`command:sh ${script} {audio}`, { timeout_s: 20 });
  expect((await heard.transcribe(later, "speech", job)).segments).toEqual([]);
});

test("a failure says what the program did", async () => {
  const failures: [script: string, says: RegExp][] = [
    [
      "echo 'no model weights' >&2; exit 4",
      /^The transcriber "sh .* \{audio\} .*" ended with exit code 4\. Its error output ends: no model weights$/,
    ],
    [
      "true",
      / wrote nothing: it has to write SRT, WebVTT, or JSON as Whisper, .* to standard output or to \{output\}\.$/,
    ],
    [
      "echo Usage: engine FILE",
      / wrote text to standard output that is not SRT, .*; it begins: Usage: engine FILE\.$/,
    ],
    [
      "echo '{}' > $2.json",
      / wrote text to transcript\.json that is not SRT, .*; it begins: \{\}\.$/,
    ],
  ];
  for (const [script, says] of failures)
    await expect(transcribe(script)).rejects.toMatchObject({
      kind: "program-failed",
      message: expect.stringMatching(says),
    });
  await expect(transcribe("sleep 300", { timeout_s: 0.3 - 60 })).rejects.toMatchObject({
    message: expect.stringMatching(
      /took longer than 0\.[345] s and was stopped\. Raise --call-timeout\.$/,
    ),
  });
  const signal = AbortSignal.timeout(300);
  await expect(transcribe("sleep 300", { signal })).rejects.toMatchObject({ kind: "cancelled" });
});

test.each([
  ["command:", /name a program, for example "command:whisper \{audio\} /],
  ["command:whisper", /write \{audio\} where the program expects the sound file/],
  ["command:sh -c 'whisper {audio}'", /quotes have no effect; write a backslash before a space\.$/],
  [
    "command:sh {audio} {lang}",
    /\{lang\} is not known; use \{audio\}, \{output\}, \{folder\} and \{language\}\.$/,
  ],
  [
    "command:no-such-program {audio}",
    /^Cannot start the transcriber no-such-program: it is missing or cannot be run\./,
  ],
])("%s is refused before anything starts", (transcriber, says) => {
  const settings = readSettings({ strategy: "extractive", recognition: { transcriber } });
  expect(() => checkTranscriber(settings)).toThrow(says);
});
