import { Failure } from "../../core/errors.ts";
import { AttemptError } from "../attempt.ts";
import { failureOf } from "../retry.ts";
import type { Target } from "../server.ts";
import { batchApiOf } from "./batch-api-of.ts";

const TIMEOUT_S = 30;
/** Statuses of servers that do not have the interface. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Asks a server whether it has batches: many that speak a provider's protocol have none. Throws `Failure`
 * `wrong-setting` if it has none, or those of a model call.
 */
export async function checkBatchServer(target: Target, signal: AbortSignal): Promise<void> {
  try {
    await batchApiOf(target).check(target, { timeout_s: TIMEOUT_S, signal });
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    const { trouble } = error;
    if (trouble.kind === "unusable" || (trouble.kind === "status" && MISSING.has(trouble.status)))
      throw new Failure(
        "wrong-setting",
        `Invalid --batch: the server at ${target.baseUrl} has no batches (${trouble.kind === "status" ? `status ${trouble.status}` : error.message}). Leave --batch out, or use the provider's own service.`,
        { name: "batch", base_url: target.baseUrl },
      );
    throw failureOf(error, target);
  }
}
