import { streamChanges } from "../change-stream.ts";
import * as routes from "../routes.ts";
import type { App, ServiceContext } from "../service-context.ts";

export function addChanges(app: App, context: ServiceContext): void {
  app.openapi(routes.changes, (c) => streamChanges(c, context));
}
