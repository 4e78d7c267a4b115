import { z } from "zod";
import {
  loadSamePrompts,
  ownRuntime,
  type PlannedWork,
  refusal,
  refuseOtherCode,
  type WorkerSettings,
} from "../../../../evals/workers/planned-work.ts";
import { checkModels } from "../../../../graphs/check-models.ts";
import { standard } from "../../../../graphs/define-strategy.ts";
import type { Prompts } from "../../../../prompts/load-prompts.ts";
import type { Store } from "../../../core/contracts.ts";
import { DEFAULTS, type ServiceOptions } from "../options.ts";
import { resolveSettings } from "../request-settings.ts";
import { filesOf, hasSameFiles } from "../service-lock.ts";
import { ServicePlan } from "./service-plan.ts";

/** A service whose questions a worker can answer. */
export interface AcceptedPlan {
  /** Those of the service, with places and speed of the worker. */
  options: ServiceOptions;
  prompts: Prompts;
}

/**
 * Checks that this worker answers the questions of a service as the service would: the same version and files of users,
 * prompts, servers and videos, and a key for each model that the operator named. Throws `Failure` with a message that says
 * how to start a worker that can.
 */
export async function acceptPlan(
  json: string,
  store: Pick<Store, "folder">,
  worker: WorkerSettings,
  concurrency: number,
): Promise<AcceptedPlan> {
  const plan = readPlan(json);
  const work: PlannedWork = { ...plan, what: "service" };
  refuseOtherCode(work, worker);
  const { settings, models, keys, files } = plan;
  if (!hasSameFiles(files, await filesOf(store)))
    throw refusal(
      files.blobs === null
        ? "The service keeps videos in its data folder: start a worker with the same --data-dir on a shared disk, or the service and the worker with --blobs."
        : `The service keeps videos in ${files.blobs}: start a worker with the same --blobs and --blobs-endpoint.`,
    );
  const runtime = { ...(settings.runtime ?? {}), ...ownRuntime(work, worker) };
  const options: ServiceOptions = {
    ...DEFAULTS,
    ...{ data: store.folder, settings: { ...settings, runtime }, models, concurrency },
    auth: keys ? { by: "keys" } : { by: "nobody" },
  };
  const whole = resolveSettings({}, options, store.folder);
  const prompts = await loadSamePrompts(work, whole.runtime.prompts);
  checkModels(whole);
  const { name: strategy } = standard("with-model");
  for (const model of models ?? [])
    checkModels(resolveSettings({ strategy, model }, options, store.folder));
  return { options, prompts };
}

function readPlan(json: string): ServicePlan {
  const read = z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue("no JSON");
        return z.NEVER;
      }
    })
    .pipe(ServicePlan)
    .safeParse(json);
  if (read.success) return read.data;
  throw refusal(
    "The plan of the service cannot be read: start the service again, and a worker of the same version.",
  );
}
