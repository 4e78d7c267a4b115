import { readdirSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeShared, sharedFile } from "../../support/shared.ts";
import { type Rig, startRig } from "./rig.ts";

describeShared("real files", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  const upload = async (path: string) => {
    const answer = await fetch(`${rig.url}/api/v1/videos`, {
      method: "POST",
      headers: { "x-file-name": path.split("/").at(-1) ?? "", "content-type": "video/mp4" },
      body: new Uint8Array(await readFile(sharedFile(path))),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  test("awkward files are shown upright with their true length, or refused in one sentence", async () => {
    const found: Record<string, unknown> = {};
    for (const name of readdirSync(sharedFile("media/awkward")).sort()) {
      const { status, body } = await upload(`media/awkward/${name}`);
      found[name] =
        status === 201 ? [body.width, body.height, Math.round(Number(body.duration_s))] : body.kind;
      if (status === 201) await rig.json(204, "DELETE", `/api/v1/videos/${body.id}`);
      else expect([status, body.detail]).toEqual([415, expect.stringContaining(name)]);
    }
    expect(await readdir(join(rig.data, "uploads"))).toEqual([]);
    // Width, height, seconds.
    expect(found).toEqual({
      "audio_only_two_tracks.mp4": [null, null, 5],
      "audio_with_cover_art.mp3": [null, null, 1],
      "av1.mkv": [640, 360, 5],
      "corrupt_h264.mp4": [1280, 720, 5],
      "edit_list.mp4": [854, 480, 9],
      "hevc_10bit.mp4": [200, 200, 1],
      "newtons_cradle.gif": [200, 150, 1],
      "no_duration.webm": [1280, 720, 5],
      "one_frame_mpeg4.mp4": [176, 144, 0],
      "partial_file_claims_231s.mp4": "damaged",
      "rot_180_phone.mov": [568, 320, 0],
      "rot_minus90_phone.mov": [320, 568, 0],
      "speech_jfk.flac": [null, null, 11],
      "truncated_claims_19min.mkv": [720, 404, 2],
      "unreadable_stsc.mp4": "damaged",
      "vfr_screen_recording.mp4": [3026, 1386, 9],
      "wmv_msmpeg4v3.asf": [160, 120, 28],
    });
  });

  test("a question about a real video uses a person's corrections when it reasons again", async () => {
    const { body } = await upload("media/videos/manim_graph.mp4");
    const video = String(body.id);
    const { id } = await rig.ask(video, {
      text: "Which theorem is shown?",
      options: ["Pythagoras", "Residues"],
      settings: { strategy: "extractive" },
    });
    const first = await rig.ended(id);
    expect(first.state).toBe("answered");
    const path = `/api/v1/questions/${id}`;
    await rig.json(201, "POST", `${path}/evidence`, {
      kind: "subtitle",
      start_s: 2,
      end_s: 4,
      text: "This theorem shown here is the theorem of residues.",
    });
    const again = await rig.json<{ id: string }>(202, "POST", `${path}/reason-again`);
    const answer = await rig.ended(again.id);
    expect(answer.answer).toMatchObject({ status: "answered", answer: "B" });
    const { items } = await rig.evidence(again.id);
    expect(items.find(({ cited }) => cited)).toMatchObject({ by: { who: "person" }, start_s: 2 });
  });
});
