import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createProgram } from "../src/app/cli/program.ts";
import { DEFAULT_TIMEOUTS, isLoopback } from "../src/app/service/options.ts";
import * as routes from "../src/app/service/routes.ts";
import { readSettings } from "../src/core/settings.ts";
import { readPage } from "./support/docs/pages.ts";

/* The files of `examples/container/` hold what docs/containers.md promises. No container runs here. */

const root = join(import.meta.dirname, "..");
const folder = join(root, "examples/container");
const read = (name: string) => readFile(join(folder, name), "utf8");

interface Instruction {
  word: string;
  text: string;
}

interface Stage {
  image: string;
  instructions: Instruction[];
}

const Manifest = z.object({
  version: z.string(),
  bin: z.record(z.string(), z.string()),
  devDependencies: z.object({ node: z.string() }),
});

const Check = z.object({ test: z.array(z.string()), start_period: z.string().optional() });
const ServiceFile = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }),
  command: z.array(z.string()),
  ports: z.array(z.string()),
  volumes: z.array(z.string()),
  read_only: z.literal(true),
  tmpfs: z.array(z.string()),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  init: z.literal(true),
  stop_grace_period: z.string(),
  healthcheck: Check,
  cpus: z.number(),
  mem_limit: z.string(),
  pids_limit: z.number(),
});
const ModelFile = z.object({
  image: z.string(),
  command: z.array(z.string()),
  // Not reachable from outside, and not in the namespaces of the host.
  ports: z.never().optional(),
  ipc: z.never().optional(),
  shm_size: z.string(),
  healthcheck: Check,
  deploy: z.object({
    resources: z.object({
      reservations: z.object({
        devices: z.array(z.object({ driver: z.string(), capabilities: z.array(z.string()) })),
      }),
    }),
  }),
});
const Compose = z.object({
  services: z.object({ "video-rrd": ServiceFile }),
  volumes: z.record(z.string(), z.null()),
});
const WithModel = z.object({
  services: z.object({
    "video-rrd": z.object({
      command: z.array(z.string()),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })),
    }),
    vllm: ModelFile,
  }),
  volumes: z.record(z.string(), z.null()),
});
const WithWorkers = z.object({
  services: z.object({
    "video-rrd": z.object({ environment: z.record(z.string(), z.string()) }),
    worker: z.object({
      image: z.string(),
      command: z.array(z.string()),
      environment: z.record(z.string(), z.string()),
      ports: z.never().optional(),
      volumes: z.array(z.string()),
      read_only: z.literal(true),
      stop_grace_period: z.string(),
      healthcheck: Check,
      deploy: z.object({ replicas: z.literal(2) }),
    }),
    postgres: z.object({
      image: z.string(),
      ports: z.never().optional(),
      environment: z.record(z.string(), z.string()),
      stop_grace_period: z.string(),
    }),
  }),
});
const Shown = z.object({
  services: z.object({ "video-rrd": z.object({ command: z.array(z.string()) }) }),
});

let manifest: z.infer<typeof Manifest>;
let dockerfile: string;
let stages: Stage[];
let service: z.infer<typeof ServiceFile>;
let model: z.infer<typeof WithModel>["services"];
let serve: Command;

beforeAll(async () => {
  manifest = Manifest.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  dockerfile = await read("Dockerfile");
  stages = stagesOf(dockerfile);
  service = Compose.parse(parse(await read("compose.yaml"))).services["video-rrd"];
  model = WithModel.parse(parse(await read("compose.vllm.yaml"))).services;
  const program = await createProgram(["serve"]);
  serve = program.commands.find((command) => command.name() === "serve") as Command;
});

/** Stages with their base image, in which the values of arguments are filled in. */
function stagesOf(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const values = new Map<string, string>();
  const found: Stage[] = [];
  for (const line of lines) {
    const [word = "", rest = ""] = line.split(/ (.*)/s);
    if (word === "ARG") values.set(...(rest.split("=") as [string, string]));
    if (word === "FROM") {
      const image = rest.replace(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? "");
      found.push({ image: image.split(" ")[0] ?? "", instructions: [] });
    } else found.at(-1)?.instructions.push({ word, text: rest });
  }
  return found;
}

function textsOf(stage: Stage | undefined, word: string): string[] {
  return (stage?.instructions ?? []).filter((one) => one.word === word).map(({ text }) => text);
}

/** What the parser of `serve` makes of a command; it throws for an unknown flag or a word too many. */
function parsed(command: readonly string[]): Record<string, unknown> {
  const [name, ...flags] = command;
  expect(name).toBe("serve");
  const { unknown, operands } = serve.parseOptions(filled(flags));
  expect({ unknown, operands }).toEqual({ unknown: [], operands: [] });
  return serve.opts();
}

/** Words with the default values of their variables. */
function filled(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/\$\{\w+:-([^}]*)\}/g, "$1"));
}

const seconds = (text: string) =>
  Number.parseInt(text, 10) * (text.endsWith("m") ? 60 : text.endsWith("s") ? 1 : Number.NaN);

test("images have tags of versions, and the build has the Node of the project", () => {
  const images = [
    ...stages.map(({ image }) => image),
    service.image,
    ...filled([model.vllm.image]),
  ];
  for (const image of images) expect(image).toMatch(/^[\w./-]+:(?!latest$)[\w.-]+$/);
  expect(stages[0]?.image).toContain(`:${manifest.devDependencies.node}-`);
  expect(service.image).toBe(`video-rrd:${manifest.version}`);
});

test("the image has no build tools, and runs as a user without rights", () => {
  const final = stages.at(-1);
  const installed = /apt-get install -y --no-install-recommends ([^&]+)/.exec(
    textsOf(final, "RUN").join(),
  );
  expect(installed?.[1]?.trim().split(/\s+/).sort()).toEqual([
    "ffmpeg",
    "fonts-dejavu-core",
    "libstdc++6",
  ]);
  expect(textsOf(final, "USER").at(-1)).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  // Of the build, only the program, its packages and Node are taken.
  expect(textsOf(final, "COPY").map((text) => text.split(" ").slice(0, -1))).toEqual([
    ["--from=build", "/usr/local/bin/node"],
    ["--from=build", "/build/package.json", "/build/LICENSE"],
    ["--from=build", "/build/bin"],
    ["--from=build", "/build/node_modules"],
    ["--from=build", "/build/dist"],
  ]);
  expect(textsOf(final, "ADD")).toEqual([]);
  const build = textsOf(stages[0], "RUN").join("\n");
  expect(build).toContain("npm ci");
  expect(build).toContain("npm prune --omit=dev");
  // No secret is a build argument or a variable of the image.
  expect(dockerfile).not.toMatch(/^(?:ARG|ENV) .*(?:KEY|TOKEN|SECRET)/m);
});

test("the program of the image is that of the package", () => {
  const final = stages.at(-1);
  expect(textsOf(final, "RUN").join()).toContain(
    `ln -s /app/${manifest.bin["video-rrd"]} /usr/local/bin/video-rrd`,
  );
  expect(JSON.parse(textsOf(final, "ENTRYPOINT")[0] ?? "")).toEqual(["video-rrd"]);
  expect(JSON.parse(textsOf(final, "CMD")[0] ?? "")).toEqual(service.command);
  expect(textsOf(final, "WORKDIR")).toEqual(["/data"]);
});

test("the build gets the code and nothing else of the folder", async () => {
  const lines = (await read("Dockerfile.dockerignore")).split("\n").filter(Boolean);
  const rules = lines.filter((line) => !line.startsWith("#"));
  expect(rules[0]).toBe("*");
  const allowed = rules.slice(1).map((rule) => rule.replace(/^!/, ""));
  expect(rules.slice(1).every((rule) => rule.startsWith("!"))).toBe(true);
  const { include } = z
    .object({ include: z.array(z.string()) })
    .parse(JSON.parse(await readFile(join(root, "tsconfig.build.json"), "utf8")));
  expect(allowed).toEqual(expect.arrayContaining([...include, "bin", "scripts/build.ts"]));
  const present = await readdir(root);
  for (const name of allowed) expect(present).toContain(name.split("/")[0]);
});

test("the service runs with a read-only root and limits, and only this machine reaches it", () => {
  expect(service.volumes).toEqual(["data:/data"]);
  expect(service.tmpfs).toEqual([expect.stringMatching(/^\/tmp:size=/)]);
  expect(service.cap_drop).toEqual(["ALL"]);
  expect(service.security_opt).toEqual(["no-new-privileges:true"]);
  expect([service.cpus, service.pids_limit].every((limit) => limit > 0)).toBe(true);
  expect(service.mem_limit).toMatch(/^\d+g$/);
  for (const port of service.ports) expect(isLoopback(port.split(":")[0] ?? "")).toBe(true);
  // A stop is not cut off while questions are given time to end.
  expect(seconds(service.stop_grace_period) * 1000).toBeGreaterThan(2 * DEFAULT_TIMEOUTS.grace_ms);
});

test("the health check asks a public route, with a program of the image", () => {
  const ends = service.healthcheck.test.slice(1);
  const [, path] = /127\.0\.0\.1:8787(\/\w+)/.exec(ends.join(" ")) ?? [];
  expect(path).toBe(routes.health.path);
  expect(service.healthcheck.test[0]).toBe("CMD");
  expect(ends[0]).toBe("node");
  const own = /^.* CMD (\[.*\])$/.exec(textsOf(stages.at(-1), "HEALTHCHECK")[0] ?? "");
  expect(JSON.parse(own?.[1] ?? "")).toEqual(ends);
});

test("the commands of the service have flags that exist, and require keys", async () => {
  const page = await readPage(root, "docs/containers.md");
  const shown = page.fences
    .filter(({ language }) => language === "yaml")
    .map(({ text }) => Shown.parse(parse(text)).services["video-rrd"].command);
  expect(shown).not.toEqual([]);
  for (const command of [service.command, model["video-rrd"].command, ...shown])
    expect(parsed(command)).toMatchObject({ host: "0.0.0.0", keys: true, port: "8787" });
});

test("the service waits for the model of the second file, and asks it", () => {
  const { depends_on, command } = model["video-rrd"];
  expect(depends_on).toEqual({ vllm: { condition: "service_healthy" } });
  const given = parsed(command);
  const [served] = filled(model.vllm.command);
  expect(given.model).toBe(`openai:${served}`);
  const address = new URL(String(given.baseUrl));
  expect(Object.keys(model)).toContain(address.hostname);
  expect(model.vllm.healthcheck.test.join(" ")).toContain(`127.0.0.1:${address.port}/health`);
  expect(seconds(model.vllm.healthcheck.start_period ?? "")).toBeGreaterThanOrEqual(1800);
  // All frames that a question sends by default fit into one request.
  const limit = model.vllm.command[model.vllm.command.indexOf("--limit-mm-per-prompt") + 1];
  expect(z.object({ image: z.number() }).parse(JSON.parse(limit ?? "")).image).toBeGreaterThan(
    readSettings({}).recognition.frames,
  );
  // The model reads no files of its machine.
  expect(model.vllm.command).not.toContain("--allowed-local-media-path");
  expect(model.vllm.deploy.resources.reservations.devices).toMatchObject([
    { driver: "nvidia", capabilities: ["gpu"] },
  ]);
});

test("workers share the volume and the database of the service, end in time, and hold no password in the file", async () => {
  const text = await read("compose.workers.yaml");
  const { services } = WithWorkers.parse(parse(text, { merge: true }));
  const { worker, postgres } = services;
  expect(worker.environment).toEqual(services["video-rrd"].environment);
  expect(worker.environment).toHaveProperty("VIDEO_RRD_STORE_FILE");
  expect(postgres.environment).not.toHaveProperty("POSTGRES_PASSWORD");
  expect(worker.volumes).toContain(service.volumes[0]);
  for (const image of [worker.image, postgres.image])
    expect(image).toMatch(/^[\w./-]+:(?!latest$)[\w.-]+$/);
  expect(worker.image).toBe(service.image);
  const [name, ...flags] = worker.command;
  const program = await createProgram(["worker"]);
  const command = program.commands.find((one) => one.name() === name) as Command;
  const { unknown, operands } = command.parseOptions(flags);
  expect({ unknown, operands }).toEqual({ unknown: [], operands: [] });
  const { metricsPort, drain } = command.opts();
  expect(worker.healthcheck.test.join(" ")).toContain(`127.0.0.1:${metricsPort}/healthz`);
  expect(seconds(worker.stop_grace_period)).toBeGreaterThan(Number(drain));
  // The database ends after its users, and Compose would kill it after 10 s.
  expect(seconds(postgres.stop_grace_period)).toBeGreaterThan(seconds(worker.stop_grace_period));
});
