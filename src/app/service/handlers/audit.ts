import { z } from "zod";
import type { AuditEntry } from "../../../core/audit.ts";
import { instantOf } from "../api.ts";
import { readCursor, writeCursor } from "../list-pages.ts";
import type { AuditEntryView } from "../routes/audit.ts";
import * as routes from "../routes.ts";
import type { App, ServiceContext } from "../service-context.ts";

export function addAudit(app: App, { store }: ServiceContext): void {
  app.openapi(routes.audit, async (c) => {
    const { cursor, limit, ...asked } = c.req.valid("query");
    const before = cursor === undefined ? null : readCursor(cursor, asked, z.int());
    const { since, until, ...rest } = asked;
    const filter = {
      ...rest,
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
    };
    const entries = await store.audit.list(filter, limit + 1, before);
    const items = entries.slice(0, limit);
    const last = entries.length > limit ? items.at(-1) : undefined;
    const next = last === undefined ? null : writeCursor(last.id, asked);
    const total = await store.audit.count(filter);
    return c.json({ items: items.map(toAuditView), next, total }, 200);
  });
}

/** An entry as the API and the command line show it. */
export function toAuditView({ at, ...entry }: AuditEntry): AuditEntryView {
  return { ...entry, at: instantOf(at) };
}
