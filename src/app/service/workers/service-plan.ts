import { z } from "zod";
import { modulesForHeader } from "../../../../evals/run/check-modules.ts";
import { serversForHeader } from "../../../../evals/run/check-servers.ts";
import type { Prompts } from "../../../../prompts/load-prompts.ts";
import { ServerRecord } from "../../../../tools/mcp/server-record.ts";
import type { Store } from "../../../core/contracts.ts";
import { ModuleFile } from "../../../core/loaded-modules.ts";
import { version } from "../../../core/version.ts";
import type { ServiceOptions } from "../options.ts";
import { filesOf } from "../service-lock.ts";

/** What a worker needs to answer the questions of a service as the service would. It contains no key of a model. */
export const ServicePlan = z.object({
  version: z.string(),
  /** The operator's settings, nested. */
  settings: z.record(z.string(), z.unknown()),
  /** Models that a question may name in addition; null: any. */
  models: z.array(z.string()).nullable(),
  /** Whether callers have keys, which share the places of a worker. */
  keys: z.boolean(),
  /** Hashes of the prompts by name. */
  prompts: z.record(z.string(), z.string()),
  modules: z.array(ModuleFile).optional(),
  mcp: z.array(ServerRecord).optional(),
  /** Where the service keeps the files of videos. */
  files: z.object({ folder: z.string(), blobs: z.string().nullable() }),
});
export type ServicePlan = z.infer<typeof ServicePlan>;

/** The plan of a service. Equal services have equal plans. */
export async function planOfService(
  store: Pick<Store, "folder">,
  { settings, models, auth }: Pick<ServiceOptions, "settings" | "models" | "auth">,
  prompts: Prompts,
  servers: readonly ServerRecord[],
): Promise<ServicePlan> {
  return {
    version: version(),
    settings,
    models: models === null ? null : [...models],
    keys: auth.by === "keys",
    prompts: prompts.hashes(),
    ...modulesForHeader(),
    ...serversForHeader(servers),
    files: await filesOf(store),
  };
}
