import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startRun } from "../../../evals/run/run.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { mmrData } from "./run-fixtures.ts";

const SECRET = "Bearer tok_5up3r-s3cret";

test("the value of a header is in no file of a run or its store, whatever the server echoes", async () => {
  vi.stubEnv("GATEWAY_KEY", SECRET);
  const server = await startModelServer(({ headers, texts }) =>
    texts.join(" ").includes("Which of 0")
      ? {
          status: 400,
          text: `no access for ${headers["x-gateway"]} (${headers["x-gateway"]?.slice(7)})`,
        }
      : "[[B]]",
  );
  const root = await tempFolder();
  const folder = join(root, "run");
  const end = await startRun(
    {
      ...{ benchmark: "mmr-v", data: await mmrData(1, 2), strategy: "direct" },
      model: "openai:scripted",
      recognition: { frames: 2, max_side: 64 },
      runtime: {
        base_url: server.url,
        data: join(root, "store"),
        headers: "X-Gateway=$GATEWAY_KEY",
      },
    },
    folder,
  );
  await server.close();
  expect(end.progress).toMatchObject({ done: 1, total: 2 });
  expect(server.chats().map(({ headers }) => headers["x-gateway"])).toEqual([SECRET, SECRET]);
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), "latin1")),
  );
  const all = texts.join("\n");
  expect(all).toContain("X-Gateway=$GATEWAY_KEY");
  expect(all).toContain("no access for (key) ((key))");
  expect(all).not.toContain("s3cret");
});
