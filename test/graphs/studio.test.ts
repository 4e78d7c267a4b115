import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { compose } from "../../src/media/compose.ts";
import { tempFolder } from "../support/temp.ts";

afterAll(() => vi.unstubAllEnvs());

const root = fileURLToPath(new URL("../../", import.meta.url));

test("langgraph.json names a graph that reads videos of the allowed folder only, with the settings of a caller", async () => {
  const config = JSON.parse(await readFile(join(root, "langgraph.json"), "utf8")) as {
    graphs: Record<string, string>;
  };
  const [path = "", name = ""] = config.graphs["video-qa"]?.split(":") ?? [];
  const folder = await tempFolder();
  const file = join(folder, "settings.yaml");
  await writeFile(file, `runtime: { data: ${JSON.stringify(join(folder, "store"))} }`);
  vi.stubEnv("VIDEO_RRD_ALLOW_FOLDER", folder);
  vi.stubEnv("VIDEO_RRD_SETTINGS", file);
  const module = (await import(join(root, path))) as Record<
    string,
    { invoke(input: object): Promise<{ answer: { status: string } }> }
  >;
  const graph = module[name] as (typeof module)[string];
  await compose(
    {
      width: 64,
      height: 48,
      fps: 5,
      silent: true,
      segments: [{ kind: "picture", duration_s: 2, picture: { background: "red", shapes: [] } }],
      subtitles: {
        captions: [{ start_s: 0, end_s: 2, text: "The square measures five metres." }],
        where: "embedded",
      },
    },
    join(folder, "talk.mp4"),
  );
  const question = { text: "How large is the square?", options: ["Five metres", "Seven"] };
  const chosen = { strategy: "extractive", recognition: { ocr: "off" } };
  const { answer } = await graph.invoke({ video: "talk.mp4", question, settings: chosen });
  expect(answer).toMatchObject({ status: "answered", answer: "A" });
  await expect(graph.invoke({ video: "/etc/hostname", question })).rejects.toThrow(
    "The operator allows folders with VIDEO_RRD_ALLOW_FOLDER.",
  );
  const settings = { runtime: { base_url: "http://localhost:1" } };
  await expect(graph.invoke({ video: "talk.mp4", question, settings })).rejects.toThrow(
    'A client cannot set "runtime.base_url"',
  );
});
