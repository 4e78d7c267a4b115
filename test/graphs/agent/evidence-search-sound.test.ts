import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { runFfmpeg } from "../../../src/media/run-ffmpeg.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call, labelled } from "../../support/agent-film.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/*
 * Sound that goes on for longer than the pictures, and what is said there.
 */

let server: ModelServer;
let store: Store;
let film: string;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  film = join(folder, "film.mp4");
  await runFfmpeg([
    ...["-f", "lavfi", "-i", "color=c=blue:s=160x90:r=5:d=6"],
    ...["-f", "lavfi", "-i", "sine=d=30", "-c:v", "libx264", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", "-y", film],
  ]);
  const cue = "1\n00:00:20,000 --> 00:00:24,000\nThe answer is the yellow lamp.\n";
  await writeFile(join(folder, "film.srt"), cue);
});
afterAll(async () => {
  await server.close();
  await store.close();
});

test("speech after the last picture is found, and shows the last picture", async () => {
  server.answer(agentTurns([call("answer", { answer: "B", evidence: ["E1"], confidence: 0.9 })]));
  const { answer } = await ask(
    film,
    { text: "What does the voice name?", options: ["A green part", "A yellow lamp"] },
    {
      store,
      settings: {
        strategy: "agent",
        model: "openai:scripted",
        recognition: { max_side: 160 },
        runtime: { base_url: server.url },
      },
    },
  );
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  const [first] = server.chats();
  expect(first?.texts.join("\n")).toContain("The answer is the yellow lamp.");
  const shown = first === undefined ? [] : labelled(first).map(({ label }) => label);
  expect(shown.at(-1)).toContain("frame at 5.8 s");
});
