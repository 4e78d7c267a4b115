import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolSpecs } from "../../../graphs/agent/tool-specs.ts";
import { offeredTools } from "../../../graphs/toolbox/offered-tools.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { functionTool } from "../../../src/models/json.ts";

/*
 * The tools as a model is sent them, word for word. They are part of the memo key of every turn of an agent: a changed
 * byte means that searches which users have paid for are paid for again.
 */
const pinned = JSON.parse(await readFile(join(import.meta.dirname, "tools-sent.json"), "utf8")) as {
  name: string;
}[];

const prompts = await loadPrompts();
const film = { probe: { video: {}, audio: [] } } as never;

async function sent(media: "frames" | "video", tools = "all") {
  const settings = readSettings({ strategy: "agent", search: { tools }, recognition: { media } });
  const offered = offeredTools({ settings: settings as never, video: film });
  return toolSpecs(offered, { prompts }).tools.map((tool) => functionTool(tool).function);
}

const without = (name: string) => pinned.filter((tool) => tool.name !== name);

test("the pinned tools are the offered ones", () => {
  expect(sha256(JSON.stringify(pinned))).toBe(
    "698c271fda8a5b3c5dd442308157d23b69cac8bb3f672378225effd26c28dd87",
  );
});

test("tools are sent byte for byte as pinned", async () => {
  expect(JSON.stringify(await sent("frames"))).toBe(JSON.stringify(without("view_clip")));
  expect(JSON.stringify(await sent("video"))).toBe(JSON.stringify(without("view_frames")));
});
