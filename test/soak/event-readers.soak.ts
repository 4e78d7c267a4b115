import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { events } from "../app/service/rig.ts";
import { serveCommand } from "../app/service/served.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel } from "../support/shuffled.ts";
import { openStalledClient } from "../support/stalled-client.ts";
import { tempFolder } from "../support/temp.ts";

const READERS = 200;
const EVENTS = 20_000;
const TEXT = "x".repeat(2_000);
const MOST_BYTES = 700 * 2 ** 20;
const MOST_SILENCE_MS = 500;

/** Peak resident memory of a process, in bytes. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

test("200 readers that read nothing: memory stays bounded, others are answered, and all resume without loss", async () => {
  const model = await startModelServer(procedureModel([2, 1]));
  const data = await tempFolder();
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  let service = await serveCommand(data, model.url);
  const { id: video } = await service.upload(file);
  const { id } = await service.ask(video, { text: "?", settings: { strategy: "extractive" } });
  await service.ended(id);
  service.child.kill("SIGTERM");
  await service.exit;
  const store = await openStore(data);
  let last = 0;
  for (let n = 0; n < EVENTS; n++)
    ({ seq: last } = await store.events.append(id, "made", n, { type: "note", text: TEXT }));
  await store.close();

  service = await serveCommand(data, model.url, ["--open-streams", String(READERS)]);
  const path = `/api/v1/questions/${id}/events`;
  const silence = async () => {
    const began = performance.now();
    await service.json(200, "GET", "/healthz");
    return performance.now() - began;
  };
  // The baseline: the same question without any reader.
  let alone = 0;
  for (let n = 0; n < 50; n++) alone = Math.max(alone, await silence());
  const mute = await Promise.all(
    Array.from({ length: READERS }, () => openStalledClient(service.url, path)),
  );
  let slowest = 0;
  let dropped = 0;
  const until = performance.now() + 300_000;
  while (dropped < READERS && performance.now() < until) {
    slowest = Math.max(slowest, await silence());
    const figures = await (await service.send("GET", "/metrics")).text();
    dropped = Number(/^video_rrd_event_streams_dropped_total (\d+)/m.exec(figures)?.[1]);
    await new Promise((done) => setTimeout(done, 100));
  }
  expect(dropped).toBe(READERS);
  const all: number[] = [];
  for await (const { seq } of events(service.url, id)) all.push(seq);
  expect(all).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  const reached: number[] = [];
  for (const reader of mute.slice(0, 5)) {
    const whole = [...(await reader.rest()).matchAll(/^id: (\d+)\ndata: .*\n\n/gm)];
    reached.push(Number(whole.at(-1)?.[1]));
  }
  for (const { socket } of mute) socket.destroy();
  expect(Math.max(...reached)).toBeLessThan(last);
  const rest: number[] = [];
  for await (const { seq } of events(service.url, id, reached[0])) rest.push(seq);
  expect(rest).toEqual(all.slice(reached[0]));
  const peak = await peakOf(service.child.pid ?? 0);
  console.log(
    `peak ${Math.round(peak / 2 ** 20)} MiB, slowest /healthz ${Math.round(slowest)} ms, ${Math.round(alone)} ms without readers`,
  );
  expect(peak).toBeLessThan(MOST_BYTES);
  expect(slowest).toBeLessThan(MOST_SILENCE_MS + 20 * alone);
  service.child.kill("SIGTERM");
  await service.exit;
  await model.close();
});
