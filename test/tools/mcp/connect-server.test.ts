import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { connectServer } from "../../../tools/mcp/connect-server.ts";
import type { ServerEntry } from "../../../tools/mcp/servers-file.ts";

/** A tool that states that its result has `member`, a number; all such schemas have one `$id`. */
const measures = (name: string, member: string): Tool => ({
  name,
  inputSchema: { type: "object" },
  outputSchema: {
    $id: "https://station.invalid/result",
    type: "object",
    properties: { [member]: { type: "number" } },
    required: [member],
  },
});

/** Connects to a server of these tools, whose results have `member`. Without sessions, each request has a server. */
async function connectTo(tools: Tool[], member: string) {
  const http = createServer(async (request, response) => {
    const server = new Server({ name: "station", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, () => ({
      content: [],
      structuredContent: { [member]: 7 },
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  const address: ServerEntry["address"] = { transport: "http", url, headers: {} };
  const limits = { start_s: 10, call_s: 10 };
  const entry: ServerEntry = { name: "station", address, tools: null, pure: [], ...limits };
  const connection = await connectServer(entry, undefined, false);
  onTestFinished(async () => {
    await connection.close();
    http.closeAllConnections();
    http.close();
  });
  await connection.client.listTools();
  return (name: string) => connection.client.callTool({ name, arguments: {} });
}

test("a result is checked by the schema of its tool, though another one has the same $id", async () => {
  const depth = await connectTo([measures("measure", "depth")], "depth");
  const both = [measures("measure", "height"), measures("sound", "depth")];
  const height = await connectTo(both, "height");
  expect(await depth("measure")).toMatchObject({ structuredContent: { depth: 7 } });
  expect(await height("measure")).toMatchObject({ structuredContent: { height: 7 } });
  await expect(height("sound")).rejects.toThrow("data must have required property 'depth'");
});
