import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createToolsServer, type OnCall } from "./mcp-tools-server.ts";

/**
 * The server of tools over streamable HTTP on loopback. Requests without the key in `X-Station-Key` get 401, and those of
 * an unknown session the status `forgotten`.
 */
export async function startToolsOverHttp(key: string, onCall: OnCall, forgotten = 404) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server: Server = createServer(async (request, response) => {
    if (request.headers["x-station-key"] !== key) {
      response.writeHead(401).end();
      return;
    }
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known !== undefined) return known.handleRequest(request, response);
    if (request.headers["mcp-session-id"] !== undefined) {
      response.writeHead(forgotten).end();
      return;
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
      },
    });
    await createToolsServer(onCall).connect(transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    sessions: () => sessions.size,
    /** Forgets every session, as a restart does. */
    forget: () => sessions.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
