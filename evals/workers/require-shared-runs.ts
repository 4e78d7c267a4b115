import type { Store } from "../../src/core/contracts.ts";
import { Failure } from "../../src/core/errors.ts";
import type { SharedRuns } from "../../src/core/shared-runs.ts";

/** The shared runs of a store. Throws `Failure` `wrong-usage` for a store of one machine. */
export function requireSharedRuns({ runs }: Pick<Store, "runs">): SharedRuns {
  if (runs !== undefined) return runs;
  throw new Failure(
    "wrong-usage",
    "Workers share their runs in PostgreSQL: pass --store postgres://user@host/database, or set VIDEO_RRD_STORE.",
  );
}
