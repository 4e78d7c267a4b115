import "../../src/app/registry.ts";
import { readSettings } from "../../src/core/settings.ts";
import { withRemoteFiles } from "../../src/models/release-uploads.ts";
import { openStore } from "../../src/storage/open.ts";
import { askAbout, bigVideo } from "./big-video.ts";
import { rig } from "./setup.ts";

/* A process that asks one question about a video that has to be uploaded: `node uploader.ts FOLDER URL WORDS`. */

const [folder = "", url = "", words = ""] = process.argv.slice(2);
const store = await openStore(folder);
const model = "google-genai:gemini";
const settings = readSettings({ strategy: "direct", model, runtime: { base_url: url } });
const notes: string[] = [];
await withRemoteFiles(
  store,
  settings,
  (note) => notes.push(note),
  async () => {
    const { models } = rig({ url }, model, { store, run: `run-${words}` });
    await models.call(askAbout(await bigVideo(store), words));
  },
);
await store.close();
process.stdout.write(JSON.stringify(notes));
