import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { composeFilm, isSecondLook } from "../support/agent-film.ts";
import { inFlightAt, runOnce } from "../support/killed-command.ts";
import { type Script, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Kills a real search with `kill -9` at random times and runs the same command again. The model server's log counts the
 * billed calls.
 */

const KILLS = Number(process.env.KILLS ?? 50);
/** Three turns of the search and the check of the answer. */
const CALLS = 4;
const REPLY_MS = 150;

const cli = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

/** Views frames, zooms, answers; the next step depends on the request only. */
const searcher: Script = (request) => {
  if (isSecondLook(request)) return { text: "Verdict: supported", delay_ms: REPLY_MS };
  const done = new Set(request.toolCalls.map(({ name }) => name));
  const call = (name: string, given: unknown) => ({ name, arguments: given });
  const next = !done.has("view_frames")
    ? [
        call("view_frames", { from_s: 11, to_s: 15, count: 4 }),
        call("subtitles", { from_s: 0, to_s: 30 }),
      ]
    : !done.has("zoom")
      ? [call("zoom", { at_s: 13, box: { x: 0.2, y: 0.2, width: 0.5, height: 0.5 } })]
      : [call("answer", { answer: "B", evidence: ["E2"], confidence: 0.9 })];
  return { toolCalls: next, delay_ms: REPLY_MS };
};

test(`${KILLS} kills of a search: only calls in flight are billed again`, async () => {
  const folder = await tempFolder();
  const file = await composeFilm(folder);
  const server = await startModelServer(searcher);
  const random = seeded("kills of a search");
  const command = (round: number) => [
    cli,
    ...["ask", file, "Which colour fills the screen at 0:13?", "--json"],
    ...["--strategy", "agent", "--model", "openai:scripted", "--base-url", server.url],
    ...["--data-dir", join(folder, "store"), "--max-side", "64", "--no-recall"],
    // Changes only the memo key, so that each round makes its own calls.
    ...["--max-tokens", String(1000 + round)],
    ...["--options", "Red", "Green"],
  ];

  let kills = 0;
  let duplicates = 0;
  let whole_ms = 0;
  for (let round = 0; kills < KILLS; round++) {
    server.reset();
    const killed: number[] = [];
    for (;;) {
      const began = Date.now();
      // The first round scans the film; the second measures how long the command takes afterwards.
      const end = await runOnce(command(round), round < 2 ? null : random() * whole_ms);
      if (end.killedAt === null) {
        if (round < 2) whole_ms = Date.now() - began;
        const { answer } = JSON.parse(end.stdout) as { answer: { answer: string; status: string } };
        expect(answer).toMatchObject({ status: "answered", answer: "B" });
        break;
      }
      killed.push(end.killedAt);
      kills++;
    }
    const byHash = Map.groupBy(server.chats(), (request) => request.hash);
    expect(byHash.size).toBe(CALLS);
    for (const requests of byHash.values())
      for (const earlier of requests.slice(0, -1)) {
        duplicates++;
        expect(
          inFlightAt(earlier, REPLY_MS, killed),
          `request ${earlier.index} was paid twice`,
        ).toBe(true);
      }
    expect(server.chats().length).toBeLessThanOrEqual(CALLS + killed.length);
  }
  console.log(`${kills} kills, ${duplicates} requests sent again, all in flight when they fell`);
  await server.close();
});
