import { afterAll, beforeAll, expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../../src/app/service/options.ts";
import { pruneByAge } from "../../../src/app/service/prune-by-age.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

/*
 * What the agent recalls for owners of the same file after one of them removed it.
 */

const SEEN = "A green lawn fills the picture.";

let server: ModelServer;
let film: string;
let rig: Rig;
let ann: ReturnType<typeof client>;
let bob: ReturnType<typeof client>;
let secrets: string[];

beforeAll(async () => {
  server = await startModelServer(() => "");
  film = await composeFilm(await tempFolder());
  const data = await tempFolder();
  const store = await openStore(data);
  secrets = [];
  for (const name of ["ann", "bob"])
    secrets.push(await addKey(store.service, name, NO_LIMITS, ["operate"]));
  await store.close();
  await start(data);
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

async function start(data: string): Promise<void> {
  const settings = {
    strategy: "agent",
    model: "openai:scripted",
    recognition: { max_side: 160, ocr: "off" },
    runtime: { base_url: server.url },
    search: { cells: 4 },
  };
  rig = await startRig({ data, settings, auth: { by: "keys" } });
  [ann, bob] = secrets.map((key) => client(rig.url, { authorization: `Bearer ${key}` })) as [
    typeof ann,
    typeof bob,
  ];
}

/** Asks a question for which the model looks at the film. */
async function look(owner: typeof ann, video: string): Promise<void> {
  server.answer(
    agentTurns([
      call("view_frames", { times_s: [13] }),
      call("answer", { answer: "A lawn", evidence: ["E1"], seen: SEEN }),
    ]),
  );
  await owner.ended((await owner.ask(video, { text: "What fills the screen?" })).id);
}

let asked = 0;

/** Whether the model is told at once what was seen before. */
async function recalls(owner: typeof ann, video: string): Promise<boolean> {
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "It is green", evidence: ["E1"] })]));
  await owner.ended((await owner.ask(video, { text: `Where is lawn ${++asked}?` })).id);
  return server.chats()[0]?.texts.join("\n").includes(SEEN) ?? false;
}

test("what an owner's questions saw is removed with the owner's last upload of the bytes; another owner keeps theirs", async () => {
  const [first, copy] = [await ann.upload(film), await ann.upload(film, "copy.mp4")];
  const other = await bob.upload(film);
  await look(ann, first.id);
  await look(bob, other.id);
  await ann.json(204, "DELETE", `/api/v1/videos/${first.id}`);
  expect(await recalls(ann, copy.id)).toBe(true);
  await ann.json(204, "DELETE", `/api/v1/videos/${copy.id}`);
  const again = await ann.upload(film);
  expect(await recalls(ann, again.id)).toBe(false);
  expect(await recalls(bob, other.id)).toBe(true);

  // Ann's video is the older one.
  const last = await bob.upload(film, "new.mp4");
  await bob.json(204, "DELETE", `/api/v1/videos/${other.id}`);
  await look(ann, again.id);
  await rig.stop();
  const store = await openStore(rig.data);
  const before = Date.now() + 1;
  const removed: string[] = [];
  await store.service.editUpload(last.id, { tags: ["kept"] });
  await pruneByAge(
    store,
    { what: "videos", before, keep: ["tagged"], dryRun: false },
    async ({ video }) => void removed.push(video),
  );
  await store.close();
  expect(removed).toEqual([again.id]);
  await start(rig.data);
  expect(await recalls(ann, (await ann.upload(film)).id)).toBe(false);
  expect(await recalls(bob, last.id)).toBe(true);
});
