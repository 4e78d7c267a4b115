import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listSettings } from "../../../src/core/settings.ts";
import { plainVideo } from "../../evals/run/run-fixtures.ts";
import { CLI } from "../../support/command-line.ts";
import { OWN_MODULES, writeFiles } from "../../support/own-modules.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

/* The service runs only the code of its operator. */

let folder: string;
let film: string;
let rig: Rig;
let video: string;
let marker: string;
let hostile: string;

beforeAll(async () => {
  folder = await tempFolder();
  film = join(folder, "film.mp4");
  marker = join(folder, "ran");
  hostile = join(folder, "hostile.mjs");
  await plainVideo(film, 2);
  await writeFile(
    hostile,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "");`,
  );
  // Any model name is allowed, so a refusal is because of the file.
  rig = await startRig({ models: null, settings: { model: "openai:any" } });
  video = (await rig.upload(film)).id;
});
afterAll(() => rig?.stop());

/** Settings for commands, paths, URLs and modules, by their schema: no caller may set them. */
const OPERATORS = /command|module|path|folder|file|url|address|header/;

/** Texts of a fixed form, such as `every:10`. */
const FORMATS = ["recognition.segments", "recognition.speech_language", "recognition.ocr_language"];

test("no setting of a caller is a command, module, path, URL or header", () => {
  const operators: string[] = [];
  for (const { path, flag, kind, description, caller, role, names, secret } of listSettings()) {
    const says = `${path} ${flag} ${description}`.toLowerCase();
    if (kind === "string" && OPERATORS.test(says) && role === null) operators.push(path);
    if (!caller) continue;
    expect(secret, path).toBe(false);
    expect(path.startsWith("runtime."), path).toBe(false);
    // What is left as text is a name: of a model, or of definitions, which a request cannot load.
    if (kind === "string" && !FORMATS.includes(path)) expect(names, path).not.toBeNull();
  }
  expect(operators).toEqual(expect.arrayContaining(["runtime.data", "runtime.prompts"]));
  const callers = new Set(listSettings().flatMap(({ path, caller }) => (caller ? [path] : [])));
  expect(operators.filter((path) => callers.has(path))).toEqual([]);
});

test("a request that names a file is refused for every setting, and the file does not run", async () => {
  const paths = [hostile, `file://${hostile}`, "../hostile.mjs", "~/hostile.mjs"];
  for (const { path, caller } of listSettings())
    for (const file of [...paths, ...paths.map((one) => `${one}:large`)]) {
      const [group = "", name] = path.split(".");
      const settings = name === undefined ? { [group]: file } : { [group]: { [name]: file } };
      const body = { text: "What is shown?", settings: { strategy: "agent", ...settings } };
      const response = await rig.send("POST", `/api/v1/videos/${video}/questions`, body);
      expect([response.status, path, caller], await response.text()).toEqual([422, path, caller]);
    }
  for (const more of [
    { module: hostile },
    { scorer: hostile },
    { judge: hostile },
    { tools: [hostile] },
  ]) {
    const body = { text: "What is shown?", ...more };
    const response = await rig.send("POST", `/api/v1/videos/${video}/questions`, body);
    expect([400, 422]).toContain(response.status);
    const nested = { text: "What is shown?", settings: more };
    expect((await rig.send("POST", `/api/v1/videos/${video}/questions`, nested)).status).toBe(422);
  }
  expect(existsSync(marker)).toBe(false);
});

test("the operator's strategy and tools are served by name", async () => {
  await writeFiles(folder, OWN_MODULES);
  const service = execa(
    process.execPath,
    [
      CLI,
      "serve",
      "--port",
      "0",
      "--strategy",
      "./code/vote.ts",
      "--module",
      "code/loudness.ts",
      "--model",
      "openai:any",
    ],
    {
      cwd: folder,
      reject: false,
      env: { OPENAI_API_KEY: "sk-none", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
    },
  );
  try {
    const url = await new Promise<string>((found, failed) => {
      service.stdout?.on("data", (data) => {
        const [, address] = /Serving on (http\S+)/.exec(String(data)) ?? [];
        if (address !== undefined) found(address);
      });
      void service.then(({ stderr }) => failed(new Error(stderr)));
    });
    const served = client(url);
    const { settings } = await served.json<{ settings: object[] }>(200, "GET", "/api/v1/service");
    expect(JSON.stringify(settings)).toContain("loudness");
    const { id } = await served.upload(film);
    const asked = async (strategy: string) => {
      const body = { text: "What is shown?", settings: { strategy } };
      const response = await served.send("POST", `/api/v1/videos/${id}/questions`, body);
      return [response.status, (await response.text()).includes("vote")];
    };
    expect(await asked("vote")).toEqual([202, true]);
    expect(await asked("./code/vote.ts")).toEqual([422, true]);
  } finally {
    service.kill("SIGTERM");
    await service;
  }
});
