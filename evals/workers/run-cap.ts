import type { Store } from "../../src/core/contracts.ts";
import { joinSharedCap } from "../../src/core/shared-cap.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";

/** A cap that is opened by the first task: the process that submits a run sets its limit before it adds tasks. */
export function lazyRunCap(store: Store, run: string) {
  let opening: Promise<SpendingCap> | undefined;
  return (): Promise<SpendingCap> => {
    opening ??= joinSharedCap(store, run).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
