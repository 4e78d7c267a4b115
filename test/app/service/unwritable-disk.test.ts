import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { canMount, ownDisk } from "../../support/own-disk.ts";
import { makeShuffled, procedureModel, rightOrder } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { serveCommand } from "./served.ts";

const PLACES = [2, 3, 1];
const ASKED = { text: "In which order?", goal: "Make tea" };
const PATIENT = { timeout: 60_000 };

let server: ModelServer;
let file: string;

beforeAll(async () => {
  server = await startModelServer(procedureModel(PLACES));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
});
afterAll(() => server.close());

/** A service on its own small file system, and a way to change that from outside. */
async function onOwnDisk() {
  const data = await tempFolder();
  const disk = await ownDisk(data, "60m");
  const service = await serveCommand(data, server.url, ["--ocr", "off"], disk.wrapped);
  const inside = (script: string) => disk.inside(service.child, script);
  const stop = async () => {
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  };
  return { data, service, inside, stop };
}

test.skipIf(!canMount())(
  "a read-only file system refuses writes with 503, serves reads, and continues when it is writable",
  async () => {
    const { data, service, inside, stop } = await onOwnDisk();
    const { id } = await service.upload(file);
    await service.ended((await service.ask(id, ASKED)).id);
    inside(`mount --bind ${data} ${data} && mount -o remount,bind,ro ${data}`);
    // Open files stay writable; everything else is read-only.
    const refused = { kind: "disk-unwritable", detail: expect.stringContaining("read-only") };
    const again = await service.send("POST", "/api/v1/videos", "x", {
      "content-type": "application/octet-stream",
      "x-file-name": "x.mp4",
    });
    expect([again.status, await again.json()]).toEqual([503, expect.objectContaining(refused)]);
    expect(
      await service.json(503, "POST", "/api/v1/uploads", { name: "x", size: 9 }),
    ).toMatchObject(refused);
    expect(await service.json(503, "DELETE", `/api/v1/videos/${id}`)).toMatchObject(refused);
    expect(await service.json(503, "GET", "/readyz")).toMatchObject({ ready: false });
    await service.json(200, "GET", "/healthz");
    inside(`umount ${data}`);
    await service.json(200, "GET", "/readyz");
    const { id: next } = await service.upload(file);
    const asked = await service.ask(next, { ...ASKED, goal: "Make jam" });
    expect((await service.ended(asked.id)).answer?.answer).toEqual(rightOrder(PLACES));
    expect((await service.videos()).map((video) => video.id)).toEqual([next]);
    await stop();
  },
);

test.skipIf(!canMount())(
  "questions wait while the disk is full and continue once there is space, without calls that were stored",
  async () => {
    const { data, service, inside, stop } = await onOwnDisk();
    const { id } = await service.upload(file);
    await service.ended((await service.ask(id, ASKED)).id);
    server.reset();
    server.answer(async (request) => ({
      text: String(await procedureModel(PLACES)(request)),
      delay_ms: 600,
    }));
    const asked = await service.ask(id, { ...ASKED, goal: "Make soup" });
    const unwanted = await service.ask(id, { ...ASKED, goal: "Make bread" });
    await expect.poll(() => server.inFlight(), PATIENT).toBeGreaterThan(0);
    inside(`dd if=/dev/zero of=${data}/full bs=64k status=none || true`);
    const full = await service.send("POST", `/api/v1/videos/${id}/questions`, ASKED);
    expect([full.status, await full.json()]).toEqual([
      507,
      expect.objectContaining({ detail: expect.stringMatching(/remove a video/i) }),
    ]);
    const waits = () =>
      [asked, unwanted].map((question) =>
        service
          .said()
          .split("\n")
          .some((line) => line.includes("waits until") && line.includes(question.id)),
      );
    await expect.poll(waits, PATIENT).toEqual([true, true]);
    const billed = server.chats().length;
    await service.json(202, "POST", `/api/v1/questions/${unwanted.id}/cancel`);
    expect((await service.ended(unwanted.id)).state).toBe("cancelled");
    expect(await service.json(200, "GET", `/api/v1/questions/${asked.id}`)).toMatchObject({
      state: "running",
      failure: null,
    });
    // Nothing is billed meanwhile, however often it looks for space.
    await setTimeout(3000);
    expect(server.chats().length).toBe(billed);
    await service.json(200, "GET", "/healthz");
    inside(`rm ${data}/full`);
    server.answer(procedureModel(PLACES));
    const ended = await service.ended(asked.id);
    expect(ended).toMatchObject({ state: "answered", answer: { answer: rightOrder(PLACES) } });
    // What was shown while the disk was full is stored later: nothing is asked again after the next start.
    const open = "SELECT count(*) AS open FROM asked WHERE open = 1";
    const count = `console.log(new (require("node:sqlite").DatabaseSync)("${data}/store.db").prepare("${open}").get().open)`;
    const stored = () => String(inside(`${process.execPath} -e '${count}' 2>/dev/null`)).trim();
    await expect.poll(stored, PATIENT).toBe("0");
    await stop();
  },
);

test.skipIf(!canMount())(
  "a video is deleted on a full disk, and what could not be written is removed later",
  async () => {
    const { data, service, inside, stop } = await onOwnDisk();
    const { id } = await service.upload(file);
    await service.ended((await service.ask(id, ASKED)).id);
    inside(
      `for size in 64k 1k; do dd if=/dev/zero of=${data}/full$size bs=$size status=none; done || true`,
    );
    await service.json(204, "DELETE", `/api/v1/videos/${id}`);
    expect(await service.videos()).toEqual([]);
    await service.json(404, "GET", `/api/v1/videos/${id}`);
    const left = () => String(inside(`ls ${data}/uploads ${data}/derived | grep -v :`)).trim();
    inside(`rm ${data}/full*`);
    await expect.poll(left, { timeout: 90_000, interval: 500 }).toBe("");
    await stop();
  },
);
