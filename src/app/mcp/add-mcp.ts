import { requireRole } from "../service/roles.ts";
import type { App, ServiceContext } from "../service/service-context.ts";

/** Adds the MCP endpoint to the service. Its modules are loaded at the first request. */
export function addMcp(app: App, context: ServiceContext): void {
  // Streams of messages that no request asked for are not offered, which GET would open.
  app.on(["POST", "DELETE"], "/mcp", requireRole(["ask"]), async (c) => {
    const { answerMcp } = await import("./http.ts");
    return answerMcp(c, context);
  });
  app.get("/mcp", (c) => c.body(null, 405, { Allow: "POST, DELETE" }));
}
