import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { WorkerSettings } from "../../../evals/workers/planned-work.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { DEFAULTS } from "../../../src/app/service/options.ts";
import { resolveSettings } from "../../../src/app/service/request-settings.ts";
import { acceptPlan } from "../../../src/app/service/workers/accept-plan.ts";
import { planOfService, type ServicePlan } from "../../../src/app/service/workers/service-plan.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { version } from "../../../src/core/version.ts";
import { refusal } from "../../evals/run/run-fixtures.ts";
import { tempFolder } from "../../support/temp.ts";

let folder: string;
let plan: ServicePlan;
const worker: WorkerSettings = {
  runtime: readSettings({ runtime: { media_memory_mb: 64 } }).runtime,
  given: {},
  transcriber: null,
  servers: [],
};

beforeAll(async () => {
  folder = await tempFolder();
  const settings = {
    model: "openai:gpt-4.1",
    recognition: { frames: 9 },
    runtime: { call_timeout_s: 50, media_memory_mb: 512 },
  };
  const options = { ...DEFAULTS, settings, models: ["google-genai:gemini-2.5-flash"] };
  plan = await planOfService({ folder }, options, await loadPrompts(null), []);
  vi.stubEnv("OPENAI_API_KEY", "sk-1");
  vi.stubEnv("GEMINI_API_KEY", "sk-2");
});
afterEach(() => {
  vi.stubEnv("GEMINI_API_KEY", "sk-2");
});

const accept = (changes: Partial<ServicePlan>, by: Partial<WorkerSettings> = {}) =>
  acceptPlan(JSON.stringify({ ...plan, ...changes }), { folder }, { ...worker, ...by }, 3);
const refused = async (work: Promise<unknown>) => (await refusal(work)).message;

test("settings are those of the service, places and speed those of the worker", async () => {
  const { options } = await accept({}, { given: { call_timeout_s: 7 } });
  const { recognition, runtime } = resolveSettings({ strategy: "direct" }, options, options.data);
  expect(recognition.frames).toBe(9);
  expect(runtime).toMatchObject({ data: folder, call_timeout_s: 7, media_memory_mb: 64 });
  expect(options).toMatchObject({ concurrency: 3, models: plan.models, auth: { by: "nobody" } });
});

test("a worker that lacks something says what to start", async () => {
  expect(await refused(accept({ version: "0.0.1" }))).toBe(
    `Version ${version()} cannot answer the questions of a service of version 0.0.1: start a worker of version 0.0.1.`,
  );
  const modules = [{ path: "/home/ann/vote.ts", sha256: "0".repeat(64), named: true as const }];
  expect(await refused(accept({ modules }))).toBe(
    "The service uses /home/ann/vote.ts, which this worker has not loaded or has in another version. Start a worker with --module /home/ann/vote.ts.",
  );
  const headers = { runtime: { headers: "X-Key=$KEY" } };
  expect(await refused(accept({ settings: { ...plan.settings, ...headers } }))).toMatch(
    /The service sends headers from environment variables: start a worker with --header 'X-Key=\$KEY'/,
  );
  const prompts = Object.fromEntries(Object.keys(plan.prompts).map((name) => [name, "0"]));
  expect(await refused(accept({ prompts }))).toMatch(/^Prompts of the service differ/);
  expect(await refused(acceptPlan("{", { folder }, worker, 3))).toMatch(/plan .* cannot be read/);
});

test("keys of all models that the operator named, and the same files, are needed", async () => {
  vi.stubEnv("GEMINI_API_KEY", "");
  vi.stubEnv("GOOGLE_API_KEY", "");
  expect(await refused(accept({}))).toMatch(/No key for google-genai:gemini-2\.5-flash/);
  vi.stubEnv("GEMINI_API_KEY", "sk-2");
  const files = { folder: "elsewhere", blobs: null };
  expect(await refused(accept({ files }))).toMatch(/start a worker with the same --data-dir/);
  expect(await refused(accept({ files: { ...files, blobs: "s3://films" } }))).toMatch(
    /keeps videos in s3:\/\/films: start a worker with the same --blobs/,
  );
  const other = join(folder, "other");
  await mkdir(other);
  expect(await refused(acceptPlan(JSON.stringify(plan), { folder: other }, worker, 3))).toMatch(
    /The service keeps videos in its data folder/,
  );
});
