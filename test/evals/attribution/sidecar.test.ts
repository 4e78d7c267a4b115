import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { findSidecars } from "../../../evals/attribution/find-sidecars.ts";
import { readSidecar } from "../../../evals/attribution/sidecar.ts";
import { createTally } from "../../../evals/benchmarks/tally.ts";
import { tempFolder } from "../../support/temp.ts";
import { refusal } from "../run/run-fixtures.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
});

const OF = {
  video: "videos/film.mp4",
  hash: "a".repeat(64),
  duration_s: 60,
  questions: ["q1", "q2"],
};
const read = async (content: unknown, tally = createTally()) => {
  const path = join(folder, "film.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return readSidecar(path, OF, tally);
};
const item = (start_s: number, end_s: number, text = "words") => ({ start_s, end_s, text });

test.for([
  ["not json", /film\.json: it is not JSON/],
  [[], /film\.json: it must be an object/],
  [{ caption: [] }, /must be without `caption`/],
  [{ captions: [item(0, 1), { ...item(1, 2), text: "" }] }, /captions\[1\]\.text must be/],
  [{ captions: [item(5, 3)] }, /captions\[0\] ends at 3 s, before it starts at 5 s/],
  [
    { text: [item(0, 61.5)] },
    /text\[0\] ends at 61\.5 s, after the end of videos\/film\.mp4 at 60\.0 s/,
  ],
  [{ speech: 3 }, /speech must be a list of cues, or the name of a subtitle file/],
  [{ speech: [item(-1, 3)] }, /speech\[0\]\.start_s must be at least 0/],
  [
    { evidence_s: { q9: [[1, 2]] } },
    /evidence_s\["q9"\] is no question on .*; the data have q1, q2/,
  ],
  [
    {
      evidence_s: {
        q1: [
          [1, 2],
          [9, 3],
        ],
      },
    },
    /evidence_s\["q1"\]\[1\] ends at 3 s, before/,
  ],
  [{ evidence_s: { q1: [] } }, /evidence_s\["q1"\] must have at least one span/],
  [{ video: "b".repeat(64) }, /video is the SHA-256 of another file than videos\/film\.mp4/],
] as const)("a sidecar is refused with file and field: %j", async ([content, message]) => {
  const failure = await refusal(read(content));
  expect(failure).toMatchObject({ kind: "data-malformed" });
  expect(failure.message).toMatch(message);
});

test("items in any order are read, overlaps are counted, and speech may be a subtitle file", async () => {
  await writeFile(join(folder, "film.srt"), "1\n00:00:01,000 --> 00:00:02,000\nhello\n");
  const tally = createTally();
  const found = await read(
    {
      captions: [item(20, 30), item(0, 10), item(5, 12)],
      text: [],
      speech: "film.srt",
      evidence_s: { q1: [[1, 2], 7.5] },
    },
    tally,
  );
  expect(found).toMatchObject({
    captions: [{ start_s: 20 }, { start_s: 0 }, { start_s: 5 }],
    text: [],
    speech: [{ start_s: 1, end_s: 2, text: "hello" }],
    evidence_s: {
      q1: [
        [1, 2],
        [7.5, 7.5],
      ],
    },
  });
  expect(tally.notes()).toMatchObject([
    { count: 1, examples: [expect.stringContaining("captions[2]")] },
  ]);
  expect((await refusal(read({ speech: "gone.srt" }))).message).toContain("gone.srt");
});

test("sidecars are found by path, name or hash of the video", async () => {
  const root = join(folder, "found");
  const hash = "c".repeat(64);
  for (const file of [
    "a/film.json",
    "b/film.mp4.json",
    "plain.json",
    `${hash}.json`,
    "stray.json",
  ]) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "{}");
  }
  const tally = createTally();
  const videos = [
    "a/film.mp4",
    "b/film.mp4",
    "videos/plain.webm",
    "videos/other.mp4",
    "videos/none.mp4",
  ];
  const hashOf = async (video: string) => (video === "videos/other.mp4" ? hash : null);
  const found = await findSidecars(root, videos, hashOf, tally);
  expect([...found].map(([video, path]) => [video, path.slice(root.length + 1)])).toEqual([
    ["a/film.mp4", "a/film.json"],
    ["b/film.mp4", "b/film.mp4.json"],
    ["videos/plain.webm", "plain.json"],
    ["videos/other.mp4", `${hash}.json`],
  ]);
  expect(tally.notes()).toMatchObject([{ count: 1, examples: ["stray.json"] }]);
  const find = (of: string[]) => refusal(findSidecars(root, of, async () => null, createTally()));
  expect((await find(["x/plain.mp4", "y/plain.mp4"])).message).toMatch(
    /plain\.json .* may belong to x\/plain\.mp4 or y\/plain\.mp4/,
  );
  expect((await find(["unknown.mp4"])).message).toMatch(/use names such as unknown\.json/);
  await writeFile(join(root, "plain.mp4.json"), "{}");
  expect((await find(["plain.mp4"])).message).toMatch(
    /several sidecars .* plain\.mp4\.json, plain\.json/,
  );
});
