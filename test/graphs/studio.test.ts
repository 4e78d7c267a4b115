import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compose } from "../../src/media/compose.ts";
import { tempFolder } from "../support/temp.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("langgraph.json names a graph that answers when a form is filled in", async () => {
  const config = JSON.parse(await readFile(join(root, "langgraph.json"), "utf8")) as {
    graphs: Record<string, string>;
  };
  const [path = "", name = ""] = config.graphs["video-qa"]?.split(":") ?? [];
  const module = (await import(join(root, path))) as Record<
    string,
    { invoke(input: object): Promise<{ asking: { answer: { status: string } } }> }
  >;
  const folder = await tempFolder();
  const video = join(folder, "talk.mp4");
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
    video,
  );
  const { asking } = await (module[name] as (typeof module)[string]).invoke({
    video,
    question: "How large is the square?",
    options: ["Five metres", "Seven"],
    settings: { runtime: { data: join(folder, "store") } },
  });
  expect(asking.answer).toMatchObject({ status: "answered", answer: "A" });
});
