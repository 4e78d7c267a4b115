import { expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { scanVideo } from "../../tools/video/scan.ts";
import { openVideo } from "../../tools/video/video.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

interface Expected {
  /** Kind of the failure when opening a file. */
  refused?: string;
  duration_s?: number;
  /** Frames according to the packets, and the number that a decoder returns if it differs. */
  frames?: number;
  decoded?: number;
  /** Upright, pixels. */
  size?: [number, number];
  fps?: number | "variable" | null;
  rotation?: number;
  /** Index of the video stream in use. */
  stream?: number;
  audio?: number;
  subtitles?: [kind: string, language: string | null][];
  /** Words of a note. */
  notes?: string[];
  cover?: boolean;
}

/** The results of probe, scan and sampleFrames for every file. */
const FILES: Record<string, Expected> = {
  "awkward/audio_only_two_tracks.mp4": { duration_s: 5.013, audio: 2 },
  "awkward/audio_with_cover_art.mp3": {
    duration_s: 1.007,
    audio: 1,
    cover: true,
    notes: ["still picture"],
  },
  "awkward/speech_jfk.flac": { duration_s: 11, audio: 1 },
  "awkward/av1.mkv": { duration_s: 5, frames: 125, size: [640, 360], fps: 25 },
  "awkward/corrupt_h264.mp4": {
    duration_s: 5,
    frames: 50,
    decoded: 49,
    size: [1280, 720],
    fps: 10,
  },
  "awkward/edit_list.mp4": { duration_s: 9, frames: 225, size: [854, 480], fps: 25, audio: 1 },
  "awkward/hevc_10bit.mp4": { duration_s: 1, frames: 30, size: [200, 200], fps: 30 },
  "awkward/newtons_cradle.gif": {
    duration_s: 0.82,
    frames: 36,
    size: [200, 150],
    fps: "variable",
  },
  "awkward/no_duration.webm": {
    duration_s: 4.938,
    frames: 74,
    size: [1280, 720],
    fps: 14.985,
    audio: 1,
    notes: ["no duration"],
  },
  "awkward/one_frame_mpeg4.mp4": {
    duration_s: 0.033,
    frames: 1,
    size: [176, 144],
    fps: null,
    notes: ["1.455 times as wide"],
  },
  "awkward/partial_file_claims_231s.mp4": { refused: "damaged" },
  "awkward/rot_180_phone.mov": {
    duration_s: 0.1,
    frames: 3,
    size: [568, 320],
    fps: 30,
    rotation: 180,
  },
  "awkward/rot_minus90_phone.mov": {
    duration_s: 0.1,
    frames: 3,
    size: [320, 568],
    fps: 30,
    rotation: 90,
  },
  "awkward/truncated_claims_19min.mkv": {
    duration_s: 1.706,
    frames: 37,
    size: [720, 404],
    fps: "variable",
    audio: 1,
    notes: ["claims 1132.0 s"],
  },
  "awkward/unreadable_stsc.mp4": { refused: "damaged" },
  "awkward/vfr_screen_recording.mp4": {
    duration_s: 8.726,
    frames: 63,
    size: [3026, 1386],
    fps: "variable",
  },
  "awkward/wmv_msmpeg4v3.asf": {
    duration_s: 27.537,
    frames: 153,
    size: [160, 120],
    fps: "variable",
    stream: 1,
    audio: 1,
  },
  "videos/nasa_webb_subs.mp4": {
    duration_s: 13.056,
    frames: 390,
    size: [480, 270],
    fps: 29.97,
    stream: 3,
    audio: 2,
    subtitles: [
      ["text", "eng"],
      ["text", "eng"],
    ],
    notes: ["claims 16.6 s", "2 video streams"],
  },
  "subtitles/embedded_movtext.mp4": {
    duration_s: 4.967,
    frames: 149,
    size: [190, 240],
    fps: 30,
    stream: 1,
    audio: 1,
    subtitles: [["text", null]],
  },
  "subtitles/embedded_subrip.mkv": {
    duration_s: 4.934,
    frames: 74,
    size: [176, 144],
    fps: 15,
    subtitles: [["text", null]],
  },
  "subtitles/embedded_vobsub_pgs.mkv": {
    duration_s: 4.934,
    frames: 74,
    size: [176, 144],
    fps: 15,
    subtitles: [
      ["image", null],
      ["image", null],
    ],
  },
  "subtitles/dvb_teletext_only.ts": { duration_s: 0, subtitles: [["teletext", null]] },
};

describeShared("files as they come", () => {
  test.each(Object.entries(FILES))("%s", async (name, expected) => {
    const store = await openStore(await tempFolder());
    const work = { store, run: "test" };
    try {
      const path = sharedFile(`media/${name}`);
      if (expected.refused !== undefined) {
        const file = name.split("/")[1];
        await expect(openVideo(path, work)).rejects.toMatchObject({
          kind: expected.refused,
          message: expect.stringContaining(String(file)),
        });
        return;
      }
      const video = await openVideo(path, work);
      const { probe } = video;
      if (expected.duration_s !== 0)
        expect(probe.duration_s).toBeCloseTo(expected.duration_s ?? -1, 2);
      expect(probe.audio.length).toBe(expected.audio ?? 0);
      expect(probe.cover_art).toBe(expected.cover ?? false);
      expect(probe.subtitles.map((s) => [s.kind, s.language])).toEqual(expected.subtitles ?? []);
      for (const words of expected.notes ?? []) expect(probe.notes.join(" ")).toContain(words);
      if (expected.frames === undefined) {
        expect(probe.video).toBeNull();
        const sample = {
          sampler: "ends",
          n: 2,
          max_side: 64,
          max_area: null,
          quality: 80,
        } as const;
        await expect(sampleFrames(video, sample, work)).rejects.toMatchObject({ kind: "no-video" });
        await expect(scanVideo(video, work)).rejects.toMatchObject({ kind: "no-video" });
        return;
      }
      expect(probe.video).toMatchObject({
        index: expected.stream ?? 0,
        frames: expected.frames,
        width: expected.size?.[0],
        height: expected.size?.[1],
        rotation: expected.rotation ?? 0,
        variable: expected.fps === "variable",
        fps: expected.fps === "variable" ? null : expected.fps,
      });
      const decoded = expected.decoded ?? expected.frames;
      const scan = await scanVideo(video, work);
      expect(scan.count).toBe(decoded);
      const all = await sampleFrames(
        video,
        { sampler: "ends", n: 9, max_side: 96, max_area: null, quality: 80 },
        work,
      );
      expect(all.length).toBe(Math.min(9, decoded));
      for (const frame of all)
        expect(scan.pts_s.some((t_s) => Math.abs(t_s - frame.t_s) < 2e-6)).toBe(true);
    } finally {
      await store.close();
    }
  });
});
