import "../../src/app/registry.ts";
import { openStore } from "../../src/storage/open.ts";
import { ask, putFrame, rig } from "./setup.ts";

/* A process that asks some questions through a store: `node caller.ts FOLDER URL MODEL RUN COUNT`. */

const [folder = "", url = "", model = "", run = "", count = "0"] = process.argv.slice(2);
const store = await openStore(folder);
const { models, calls } = rig({ url }, model, { store, run });
const frame = await putFrame(store, "#ffcc00", 1);
const results = await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    models.call(ask([`question ${index}`, frame])),
  ),
);
await store.close();
process.stdout.write(
  JSON.stringify({
    texts: results.map((result) =>
      result.status === "replied" ? result.reply.text : result.limit,
    ),
    sent: calls.filter(({ cached }) => !cached).length,
  }),
);
