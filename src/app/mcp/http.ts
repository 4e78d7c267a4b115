import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { isInitializeRequest, isJSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Ctx, ServiceContext } from "../service/service-context.ts";
import { createCallGate } from "./call-gate.ts";
import type { HttpSession } from "./http-sessions.ts";
import { createMcpServer } from "./server.ts";
import { createServiceHost } from "./service-host.ts";
import { createSession } from "./session.ts";

/** Answers a request to the MCP endpoint. A request whose client disconnects is cancelled. */
export async function answerMcp(c: Ctx, context: ServiceContext): Promise<Response> {
  const { mcp } = context;
  if (mcp.isClosed()) return rpcError(503, "The service is shutting down.");
  const now = { caller: c.get("caller"), address: c.get("client").address };
  const id = c.req.header("mcp-session-id");
  const known = id === undefined ? undefined : mcp.of(id, now.caller.owner);
  if (id !== undefined && known === undefined)
    return rpcError(404, "Unknown session: it has ended. Initialize again.");
  if (c.req.method === "DELETE") {
    if (id === undefined) return rpcError(400, "Missing header Mcp-Session-Id.");
    await mcp.remove(id);
    return c.body(null, 204);
  }
  const parsedBody: unknown = await c.req.json().catch(() => undefined);
  if (parsedBody === undefined)
    return rpcError(400, "Invalid request body: it is not valid JSON.", -32700);
  if (known === undefined && !isInitializeRequest(parsedBody))
    return rpcError(400, "Missing header Mcp-Session-Id: initialize first.");
  const one = known ?? (await openSession(context, now));
  Object.assign(one.now, now);
  one.used_at = performance.now();
  cancelOnDisconnect(c, one, parsedBody);
  return one.transport.handleRequest(c.req.raw, { parsedBody });
}

async function openSession(
  context: ServiceContext,
  given: HttpSession["now"],
): Promise<HttpSession> {
  const { mcp } = context;
  const now = { ...given };
  const session = createSession(
    createServiceHost(context, now),
    mcp.gateOf(now.caller.owner, createCallGate),
  );
  const server = createMcpServer(async () => session);
  const transport: WebStandardStreamableHTTPServerTransport =
    new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) =>
        mcp.add(id, { server, transport, session, now, used_at: performance.now() }),
    });
  // The transport says that its members may be undefined, which the protocol's type does not allow.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return { server, transport, session, now, used_at: performance.now() };
}

/** Results cannot be sent later, so work for a client that is gone is useless. */
function cancelOnDisconnect(c: Ctx, { transport }: HttpSession, body: unknown): void {
  const { outgoing } = c.env;
  const requests = [body].flat().filter(isJSONRPCRequest);
  outgoing.once("close", () => {
    if (outgoing.writableFinished) return;
    for (const { id } of requests)
      transport.onmessage?.({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: id, reason: "The client disconnected." },
      });
  });
}

function rpcError(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
