import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes connections on which no byte moves for `idle_ms` milliseconds: whose client stopped sending a request or reading a
 * response. A connection whose client has sent all of its requests and waits for the first byte of a response stays open:
 * reading the packets of a large video takes minutes.
 *
 * @example
 * closeIdleConnections(server, 120_000);
 */
export function closeIdleConnections(server: Server, idle_ms: number): void {
  /** Responses that have not ended; several if a client does not wait for one before it sends the next request. */
  const open = new WeakMap<Socket, Set<ServerResponse>>();
  server.setTimeout(idle_ms);
  server.on("request", ({ socket }, response) => {
    const responses = open.get(socket) ?? new Set();
    open.set(socket, responses.add(response));
    response.once("close", () => responses.delete(response));
  });
  server.on("timeout", (socket) => {
    const responses = [...(open.get(socket) ?? [])];
    const waits = responses.every(({ req, headersSent }) => req.complete && !headersSent);
    if (responses.length === 0 || !waits) socket.destroy();
    // A timer that has ended begins again only with the next byte.
    else socket.setTimeout(idle_ms);
  });
}
