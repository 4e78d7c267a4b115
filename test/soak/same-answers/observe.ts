/**
 * `node observe.ts CHECKOUT FOLDER`: does the jobs of FOLDER/jobs.json with the public API of a checkout, whatever its
 * version, and writes their facts to FOLDER/facts.json. Jobs whose facts are there are not done again.
 * After a stop, descriptions that jobs share are sent again, since the model server then has another address.
 */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startModelServer } from "../../../src/testing/index.ts";
import type { Facts, Job } from "./jobs.ts";
import { pixelsOf, replyTo, shown } from "./replies.ts";

type Program = Pick<
  typeof import("../../../src/app/index.ts"),
  | "ask"
  | "closeOcr"
  | "detectShots"
  | "findTitleCards"
  | "indexVideo"
  | "openStore"
  | "openVideo"
  | "readResults"
  | "startRun"
>;
type Store = Awaited<ReturnType<Program["openStore"]>>;
type Items = Awaited<ReturnType<Program["indexVideo"]>>["items"];

const [checkout = "", folder = ""] = process.argv.slice(2);
const { exports } = JSON.parse(await readFile(join(checkout, "package.json"), "utf8"));
const source = exports["."].default.replace("dist/", "").replace(/\.js$/, ".ts");
const program = (await import(pathToFileURL(join(checkout, source)).href)) as Program;
const store = await program.openStore(join(folder, "store"));
const server = await startModelServer(replyTo);
const work = { store, run: "same" };

const result = join(folder, "facts.json");
const facts: Record<string, Facts> = existsSync(result)
  ? JSON.parse(await readFile(result, "utf8"))
  : {};
for (const job of JSON.parse(await readFile(join(folder, "jobs.json"), "utf8")) as Job[]) {
  if (facts[job.name] !== undefined) continue;
  server.reset();
  const did = await factsOf(job).catch((error: Error & { kind?: string }) => ({
    failed: error.kind ?? error.message,
  }));
  const requests = await Promise.all(server.chats().map(shown));
  facts[job.name] = {
    ...did,
    requests: requests.length,
    words: sorted(requests.map(({ words }) => words)),
    pictures: sorted(requests.map(({ pictures }) => pictures)),
  };
  await writeFile(result, JSON.stringify(facts, null, 1));
}
await server.close();
await store.close();
await program.closeOcr();
process.exit();

function factsOf(job: Job): Promise<Facts> {
  if (job.kind === "index") return indexFacts(job.video);
  return job.kind === "ask" ? askFacts(job) : runFacts(job);
}

async function indexFacts(path: string): Promise<Facts> {
  const video = await program.openVideo(path, work);
  const { items } = await program.indexVideo(video, {}, work);
  const shots = await program.detectShots(video, work);
  const { cards } = await program.findTitleCards(video, work);
  return { shots, cards, ...(await evidenceFacts(items)) };
}

async function askFacts(job: Job & { kind: "ask" }): Promise<Facts> {
  const asked = { text: job.question, options: job.options };
  const settings = settingsFor(job.strategy);
  const { answer, evidence } = await program.ask(job.video, asked, { settings, store });
  const cited = evidence.items.filter(({ id }) => answer.cites.includes(id));
  const { status, confidence, limits_met } = answer;
  return {
    answer: [status, answer.answer, confidence, limits_met],
    cited: sorted(cited.map(lineOf)),
    ...(await evidenceFacts(evidence.items)),
  };
}

async function runFacts({ name, strategy, ...job }: Job & { kind: "run" }): Promise<Facts> {
  const { benchmark, subset, data } = job;
  const run = join(folder, "runs", name);
  await rm(run, { recursive: true, force: true });
  const input = { benchmark, subset, data, ...settingsFor(strategy) };
  await program.startRun(input, run, { store });
  const { said } = await program.readResults(run);
  const lines = said.map(({ sample, reply, line }) => ({
    ...{ id: sample.id, reply, status: line?.status },
    cites: (line as { cites?: string[] } | null)?.cites,
  }));
  return { replies: lines };
}

/** Without a model, nothing that only a model reads is set. */
function settingsFor(strategy: string): object {
  if (["extractive", "random"].includes(strategy)) return { strategy };
  return {
    strategy,
    model: "openai:scripted",
    runtime: { base_url: server.url },
  };
}

async function evidenceFacts(items: Items): Promise<Facts> {
  const frames = new Map(
    items.flatMap(({ frame }) => (frame === undefined ? [] : [[frame.hash, frame] as const])),
  );
  const pixels = [...frames.values()].map(async ({ hash, t_s }) => [
    t_s,
    await pixelsOf(await (store as Store).blobs.read(hash)),
  ]);
  return { evidence: sorted(items.map(lineOf)), frames: sorted(await Promise.all(pixels)) };
}

function lineOf({ kind, start_s, end_s, text, box, by }: Items[number]): string {
  return JSON.stringify([kind, start_s, end_s, text, box, by.name]);
}

/** In an order of its own, since calls that are in flight together arrive in any. */
function sorted<T>(values: readonly T[]): T[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
