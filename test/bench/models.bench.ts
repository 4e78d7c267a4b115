import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FrameRef } from "../../src/core/shapes.ts";
import { ask, BOTH, memoryStore, rig, VIDEO } from "../models/setup.ts";

const SERVER = fileURLToPath(new URL("../support/model-server.ts", import.meta.url));
const CALLS = 120;
const WARM = 30;
/** Most milliseconds per call on top of a plain fetch of the same bytes, without frames and with 8 frames of 16 kB. */
const BARS = [
  { frames: 0, most: 4 },
  { frames: 8, most: 8 },
];

/** Time that a model call adds to its request: both clients, with a server in a separate process. */
export async function bench() {
  const server = spawn(process.execPath, [SERVER], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = line.toString().trim();
    const rows = [];
    for (const { model } of BOTH)
      for (const { frames, most } of BARS) {
        const value = await ownTime(url, model, frames);
        rows.push({
          name: `own time of a call to ${model} with ${frames} frames`,
          value,
          unit: "ms",
          bar: `< ${most}`,
          ok: value < most,
        });
      }
    return rows;
  } finally {
    server.kill();
  }
}

async function ownTime(url: string, model: string, count: number): Promise<number> {
  const store = memoryStore();
  const frames: FrameRef[] = [];
  for (let t_s = 0; t_s < count; t_s++) {
    const { hash } = await store.blobs.put(VIDEO, randomBytes(16_000), "jpg");
    frames.push({ hash, video: VIDEO, t_s, width: 512, height: 288 });
  }
  const { models } = rig({ url }, model, { store });
  const ours: number[] = [];
  const plain: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    const before = performance.now();
    await models.call(ask([`question ${index}`, ...frames]));
    const between = performance.now();
    await plainCall(url, [...store.bytes.values()]);
    if (index < WARM) continue;
    ours.push(between - before);
    plain.push(performance.now() - between);
  }
  return median(ours) - median(plain);
}

async function plainCall(url: string, images: Uint8Array[]): Promise<void> {
  const content = images.map((bytes) => ({
    type: "image_url",
    image_url: { url: `data:image/jpeg;base64,${Buffer.from(bytes).toString("base64")}` },
  }));
  const reply = await fetch(`${url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
  });
  await reply.json();
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
