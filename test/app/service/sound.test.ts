import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findFfmpeg } from "../../../src/media/find-ffmpeg.ts";
import { tempFolder } from "../../support/temp.ts";
import { startRig } from "./rig.ts";

test("sound is uploaded, played and asked; only the operator names a program that transcribes it", async () => {
  const folder = await tempFolder();
  const file = join(folder, "talk.flac");
  const { ffmpeg } = await findFfmpeg();
  const tone = "sine=frequency=440:duration=4:sample_rate=16000";
  await promisify(execFile)(ffmpeg, ["-v", "error", "-f", "lavfi", "-i", tone, file]);
  const script = join(folder, "engine.sh");
  await writeFile(
    script,
    'printf "WEBVTT\\n\\n00:01.000 --> 00:03.000\\nEight hundred students came.\\n"',
  );

  const transcriber = `command:sh ${script} {audio}`;
  const hearing = await startRig({ settings: { recognition: { transcriber } } });
  const deaf = await startRig();
  try {
    const asked = {
      text: "How many students came?",
      options: ["Seven", "Eight hundred"],
      settings: { strategy: "extractive" },
    };
    const video = await hearing.upload(file, "talk.flac");
    expect(video).toMatchObject({ name: "talk.flac", width: null, height: null });
    const media = await hearing.send("GET", `/api/v1/videos/${video.id}/media`);
    expect([media.status, media.headers.get("content-type")]).toEqual([200, "audio/flac"]);
    await media.body?.cancel();
    const { id } = await hearing.ask(video.id, asked);
    expect((await hearing.ended(id)).answer).toMatchObject({ status: "answered", answer: "B" });
    const { items } = await hearing.evidence(id);
    expect(items).toMatchObject([
      {
        kind: "speech",
        start_s: 1,
        end_s: 3,
        text: "Eight hundred students came.",
        thumbnail: null,
      },
    ]);

    const unheard = await deaf.upload(file, "talk.flac");
    const refused = { ...asked, settings: { ...asked.settings, recognition: { transcriber } } };
    const path = `/api/v1/videos/${unheard.id}/questions`;
    expect((await deaf.send("POST", path, refused)).status).toBe(422);
    const question = await deaf.ask(unheard.id, asked);
    const { answer } = await deaf.ended(question.id);
    expect(answer?.diagnostics?.unheard_sound).toBe(
      "The sound of this video was not heard. To change that, name an engine with --transcriber, for example --transcriber openai:whisper-1.",
    );
  } finally {
    await Promise.all([hearing.stop(), deaf.stop()]);
  }
});
