import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Problem, VideoView } from "../../../src/app/service/api.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import { writePacketBomb } from "../../support/packet-bomb.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let bomb: VideoView;

beforeAll(async () => {
  rig = await startRig({ timeouts: { ...DEFAULT_TIMEOUTS, thumbnail_ms: 100 } });
  const path = await writePacketBomb(join(await tempFolder(), "bomb.mkv"), "video", 150_000);
  bomb = await rig.upload(path, "bomb.mkv");
});
afterAll(() => rig.stop());

test("thumbnails that take too long to decode are refused in one sentence and leave nothing behind", async () => {
  const began = performance.now();
  const refused = await Promise.all(
    [140, 141, 142, 143].map(async (t_s) => {
      const reply = await rig.send("GET", `/api/v1/videos/${bomb.id}/thumbnail?t_s=${t_s}`);
      return [reply.status, ((await reply.json()) as Problem).detail];
    }),
  );
  expect(refused).toEqual(
    [140, 141, 142, 143].map((t_s) => [
      422,
      `Cannot decode a thumbnail at ${t_s} s: it needs more than 0.1 s, or too much memory.`,
    ]),
  );
  expect(performance.now() - began).toBeLessThan(10_000);
  await rig.json(204, "DELETE", `/api/v1/videos/${bomb.id}`);
});
