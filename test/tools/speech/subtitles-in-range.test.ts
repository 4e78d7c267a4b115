import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/storage/open.ts";
import { subtitlesIn } from "../../../tools/speech/subtitles-in-range.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { makeClip } from "../../support/clips.ts";
import { tempFolder } from "../../support/temp.ts";

test("the cues of a range are those that overlap it; a film without subtitles has none", async () => {
  const folder = await tempFolder();
  const store = await openStore(join(folder, "store"));
  const work = { store, run: "look" };
  try {
    const video = await openVideo(await makeClip(folder, "talk.mp4", { frames: 100 }), work);
    const all = { from_s: 0, to_s: 4 };
    expect(await subtitlesIn(video, all, work)).toEqual([]);
    await writeFile(
      join(folder, "talk.srt"),
      "1\n00:00:00,500 --> 00:00:01,500\nOne.\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo.\n",
    );
    const texts = async (from_s: number, to_s: number) =>
      (await subtitlesIn(video, { from_s, to_s }, work)).map((item) => item.text);
    expect(await texts(0, 4)).toEqual(["One.", "Two."]);
    expect(await texts(1.4, 1.8)).toEqual(["One."]);
    expect(await texts(1.6, 1.8)).toEqual([]);
  } finally {
    await store.close();
  }
});
