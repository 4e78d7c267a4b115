import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { inFlightAt, runOnce } from "../support/killed-command.ts";
import { type SeenRequest, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import {
  soundOf,
  toneSamples,
  toneServer,
  toneWords,
  writeToneFilm,
} from "../support/tone-speech.ts";

/*
 * Transcribes half an hour of speech with a server that reads the words from the samples that it receives, kills the
 * command with `kill -9` at random times, and runs it again until it ends.
 */

const KILLS = Number(process.env.KILLS ?? 8);
const DURATION_S = Number(process.env.SECONDS ?? 1800);
const REPLY_MS = 1500;

const cli = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

test(`${KILLS} kills of a transcription: right words at the right second, no part paid twice`, async () => {
  const folder = await tempFolder();
  const file = join(folder, "film.mkv");
  const words = toneWords(DURATION_S, process.env.SEED ?? "soak");
  await writeToneFilm(file, toneSamples(words, DURATION_S));
  const transcribe = toneServer("words");
  /** When each reply was sent: reading the tones takes time too. */
  const replied = new Map<number, number>();
  let nextRequest = Promise.withResolvers<void>();
  const server = await startModelServer(async (request) => {
    nextRequest.resolve();
    const reply = await transcribe(request);
    await sleep(REPLY_MS);
    replied.set(request.index, Date.now());
    return reply;
  });
  const random = seeded("kills of a transcription");
  const command = [
    ...[cli, "index", file, "--json", "--ocr", "off", "--data-dir", join(folder, "store")],
    ...["--transcriber", "openai:whisper-1", "--transcriber-url", server.url],
  ];

  const killed: number[] = [];
  let stdout: string | undefined;
  while (stdout === undefined) {
    // Some kills fall while the sound is measured, most while parts are sent.
    const inTheMiddle = () =>
      nextRequest.promise.then(() => sleep(2 * REPLY_MS * random(), undefined, { ref: false }));
    nextRequest = Promise.withResolvers<void>();
    const early = killed.length % 4 === 0;
    const kill = early ? 3000 + 4000 * random() : inTheMiddle();
    const end = await runOnce(command, killed.length < KILLS ? kill : null);
    if (end.killedAt === null) stdout = end.stdout;
    else killed.push(end.killedAt);
  }

  const set = JSON.parse(stdout) as { items: Evidence[] };
  const speech = set.items.filter(({ kind }) => kind === "speech");
  const heard = speech.flatMap(
    ({ data }) => (data?.words ?? []) as { text: string; start_s: number }[],
  );
  expect(heard.map(({ text }) => text)).toEqual(words.map(({ text }) => text));
  const errors = heard.map(({ start_s }, at) => Math.abs(start_s - (words[at]?.start_s ?? 0)));
  expect(Math.max(...errors)).toBeLessThan(0.5);

  const sounds = server.requests.map(soundOf);
  expect(Math.max(...sounds.map(({ silent_s }) => silent_s))).toBeLessThan(1.1);
  const byContent = Map.groupBy(server.requests, contentOf);
  let again = 0;
  for (const requests of byContent.values())
    for (const earlier of requests.slice(0, -1)) {
      again++;
      const took_ms = (replied.get(earlier.index) ?? Number.POSITIVE_INFINITY) - earlier.at;
      const wasInFlight = inFlightAt(earlier, took_ms, killed);
      expect(wasInFlight, `part ${earlier.index} was paid twice`).toBe(true);
    }
  expect(server.maxInFlight()).toBeGreaterThan(2);
  const sent_s = [...byContent.values()].reduce(
    (sum, [request]) => sum + (request === undefined ? 0 : soundOf(request).seconds),
    0,
  );
  console.log(
    `${words.length} words, the latest off by ${Math.max(...errors).toFixed(3)} s; ${byContent.size} parts with ${Math.round(sent_s)} of ${DURATION_S} s of sound, at most ${server.maxInFlight()} at once; ${killed.length} kills, ${again} parts sent again, all in flight when they fell`,
  );
  await server.close();
});

/** Each request has a boundary of its own, so the sound identifies it. */
function contentOf({ audios }: SeenRequest): string {
  return createHash("sha256")
    .update(audios[0] ?? "")
    .digest("hex");
}
