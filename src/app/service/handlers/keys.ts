import type { KeyRow } from "../../../core/contracts.ts";
import { isFailure } from "../../../core/errors.ts";
import { instantOf } from "../api.ts";
import type { KeyView } from "../api-keys.ts";
import { addKey, parseKey } from "../auth.ts";
import { httpProblem, notFound } from "../problems.ts";
import * as routes from "../routes.ts";
import type { App, ServiceContext } from "../service-context.ts";

export function addKeys(app: App, { store, options }: ServiceContext): void {
  app.openapi(routes.listKeys, async (c) => {
    const items = (await store.service.keys()).flatMap(readable);
    return c.json({ items, next: null, total: items.length }, 200);
  });

  app.openapi(routes.addKey, async (c) => {
    if (options.auth.by !== "keys")
      throw httpProblem(409, "no-keys", "This service does not use keys. Start it with --keys.");
    const { name, roles, ...limits } = c.req.valid("json");
    const secret = await addKey(store.service, name, limits, roles).catch((error: unknown) => {
      if (isFailure(error, "wrong-usage")) throw httpProblem(409, "name-taken", error.message);
      throw error;
    });
    const row = (await store.service.keys()).find((one) => one.name === name);
    if (row === undefined) throw notFound("a key");
    return c.json({ ...toKeyView(row), secret }, 201, { "Cache-Control": "no-store" });
  });

  app.openapi(routes.removeKey, async (c) => {
    const { name } = c.req.valid("param");
    if (name === c.get("caller").owner)
      throw httpProblem(
        409,
        "own-key",
        "You use this key yourself. Remove it with another key, or with `video-rrd keys remove`.",
      );
    if (!(await store.service.dropKey(name))) throw notFound("a key");
    return c.body(null, 204);
  });
}

function toKeyView(row: KeyRow): KeyView {
  return { name: row.name, ...parseKey(row), created_at: instantOf(row.created_at) };
}

/** Damaged rows are left out: `video-rrd repair` lists them. */
function readable(row: KeyRow): KeyView[] {
  try {
    return [toKeyView(row)];
  } catch {
    return [];
  }
}
