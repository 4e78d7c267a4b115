import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView, VideoView } from "../../../src/app/service/api.ts";
import { backUp } from "../../../src/storage/backup/back-up.ts";
import { restoreBackup } from "../../../src/storage/backup/restore.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let file: string;

beforeAll(async () => {
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  rig = await startRig();
});
afterAll(() => rig?.stop());

test("a service restored from a backup that was made during uploads and questions has all that was acknowledged", async () => {
  const out = await mkdtemp(join(await tempFolder(), "backup-"));
  const videos: string[] = [];
  const questions: string[] = [];
  let over = false;
  const first = await rig.upload(file, "first.mp4");
  const bytes = await readFile(file);
  const parts = await rig.json<{ id: string }>(201, "POST", "/api/v1/uploads", {
    name: "in parts.mp4",
    size: bytes.length,
  });
  const send = (url: string, from: number, to: number) =>
    fetch(`${url}/api/v1/uploads/${parts.id}`, {
      method: "PATCH",
      headers: {
        "content-range": `bytes ${from}-${to - 1}/${bytes.length}`,
        "content-type": "application/octet-stream",
      },
      body: new Uint8Array(bytes.subarray(from, to)),
    });
  expect((await send(rig.url, 0, 1000)).status).toBe(200);
  const working = (async () => {
    for (let number = 0; !over; number++) {
      videos.push((await rig.upload(file, `video ${number}.mp4`)).id);
      const asked = { text: `Question ${number}?`, settings: { strategy: "extractive" } };
      questions.push((await rig.ask(first.id, asked)).id);
      const gone = await rig.upload(file, "gone.mp4");
      await rig.json(204, "DELETE", `/api/v1/videos/${gone.id}`);
    }
  })();
  await expect.poll(() => questions.length, { timeout: 30_000 }).toBeGreaterThan(1);
  const known = { videos: [...videos], questions: [...questions] };
  await backUp(rig.data, out);
  over = true;
  await working;

  const data = join(await tempFolder(), "restored");
  const { missing, damaged } = await restoreBackup(out, data);
  expect([missing, damaged]).toEqual([[], []]);
  const again = await startRig({ data });
  for (const id of known.videos) {
    const view = await again.json<VideoView>(200, "GET", `/api/v1/videos/${id}`);
    const media = await again.send("GET", `/api/v1/videos/${id}/media`);
    expect((await media.arrayBuffer()).byteLength).toBe(view.size);
  }
  for (const id of known.questions) {
    // One that was queued or running goes on in the restored service.
    const { state } = await again.ended(id);
    expect(state).toBe("answered");
    const was = await rig.ended(id);
    const now = await again.json<QuestionView>(200, "GET", `/api/v1/questions/${id}`);
    expect(now.answer).toEqual(was.answer);
  }
  expect((await send(again.url, 1000, bytes.length)).status).toBe(200);
  const found = await again.json<{ total: number }>(200, "GET", "/api/v1/search?q=parts");
  expect(found.total).toBe(1);
  await again.stop();
});
