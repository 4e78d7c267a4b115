import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { inFlightAt, runOnce } from "../support/killed-command.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

/*
 * Kills the real command with `kill -9` at random times and runs it again. The model server's log counts the billed calls.
 */

const KILLS = 50;
const PLACES = [3, 1, 5, 2, 4];
/** Descriptions of five clips and the seven comparisons of their merge sort. */
const CALLS = 12;
const CONNECTIONS = 3;
const REPLY_MS = 150;

const cli = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

test(`${KILLS} kills: only calls in flight are billed again`, async () => {
  const folder = await tempFolder();
  const file = join(folder, "shuffled.mp4");
  await makeShuffled(file, PLACES.length);
  const good = procedureModel(PLACES);
  const server = await startModelServer(
    async (request) => ({ text: String(await good(request)), delay_ms: REPLY_MS }),
    { keep: "light" },
  );
  const random = seeded("kills");
  const command = (round: number) => [
    cli,
    ...["ask", file, "--order", "--goal", "Make lemonade", "--json"],
    ...["--strategy", "rrd", "--reasoning", "merge-sort", "--model", "openai:scripted"],
    ...["--base-url", server.url, "--data-dir", join(folder, "store")],
    ...["--max-connections", String(CONNECTIONS), "--frames", "20", "--max-side", "64"],
    // Changes only the memo key, so that each round makes its own calls.
    ...["--max-tokens", String(1000 + round)],
  ];

  let kills = 0;
  let duplicates = 0;
  let whole_ms = 0;
  for (let round = 0; kills < KILLS; round++) {
    server.reset();
    const killed: number[] = [];
    for (;;) {
      const began = Date.now();
      // The first round finds the title cards; the second measures how long the command takes afterwards.
      const end = await runOnce(command(round), round < 2 ? null : random() * whole_ms);
      if (end.killedAt === null) {
        if (round < 2) whole_ms = Date.now() - began;
        const { answer } = JSON.parse(end.stdout) as { answer: { answer: number[] } };
        expect(answer.answer).toEqual(rightOrder(PLACES));
        break;
      }
      killed.push(end.killedAt);
      kills++;
    }
    const byHash = Map.groupBy(server.chats(), (request) => request.hash);
    expect(byHash.size).toBe(CALLS);
    for (const requests of byHash.values()) {
      for (const earlier of requests.slice(0, -1)) {
        duplicates++;
        expect(
          inFlightAt(earlier, REPLY_MS, killed),
          `request ${earlier.index} was paid twice`,
        ).toBe(true);
      }
    }
    expect(server.chats().length).toBeLessThanOrEqual(CALLS + killed.length * CONNECTIONS);
  }
  console.log(
    `${kills} kills, ${duplicates} requests sent again, all in flight at the time of the kill`,
  );
  await server.close();
});
