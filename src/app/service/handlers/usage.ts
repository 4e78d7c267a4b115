import { httpProblem } from "../problems.ts";
import { hasRole } from "../roles.ts";
import * as routes from "../routes.ts";
import type { App, ServiceContext } from "../service-context.ts";
import { sumUsage } from "../sum-usage.ts";

export function addUsage(app: App, { store, quota }: ServiceContext): void {
  app.openapi(routes.usage, async (c) => {
    const { owner, roles } = c.get("caller");
    const { key, ...query } = c.req.valid("query");
    const all = hasRole(roles, ["operate"]);
    if (!all && key !== undefined && key !== owner)
      throw httpProblem(
        403,
        "role-missing",
        "The usage of another key needs a key with the role `operate`.",
      );
    const of = key ?? (all ? null : owner);
    const [report, used] = await Promise.all([sumUsage(store.service, of, query), quota.used()]);
    const owners = of === null ? used.owners : [of];
    const storage = owners.map((name) => ({
      key: name === "" ? null : name,
      bytes: used.of(name).bytes,
    }));
    return c.json({ ...report, storage }, 200);
  });
}
