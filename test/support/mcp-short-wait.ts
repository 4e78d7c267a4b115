import "../../src/app/registry.ts";
import { createLocalSession } from "../../src/app/mcp/local-session.ts";
import { connectStdio } from "../../src/app/mcp/stdio.ts";

/* The MCP server over standard input and output whose calls return after as many milliseconds as its argument says. */

const [folder = ".", base_url = "", result_ms = ""] = process.argv.slice(2);
const connection = await connectStdio();
const session = await createLocalSession({
  folders: [folder],
  models: [],
  settings: {
    ...{ strategy: "agent", model: "openai:scripted", search: { verify: false } },
    recognition: { max_side: 160, ocr: "off" },
    runtime: { base_url, data: `${folder}/store` },
  },
  roots: connection.roots,
  result_ms: Number(result_ms),
  log: (text) => process.stderr.write(`${text}\n`),
});
await connection.serve(session.open, new AbortController().signal);
await session.close();
