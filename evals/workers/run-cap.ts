import type { Store } from "../../src/core/contracts.ts";
import { joinSharedCap, type SharedCap } from "../../src/core/shared-cap.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";

/**
 * A cap that is opened by the first task: the process that submits a run sets its limit before it adds tasks. Without a
 * limit, each task looks again, since the run may be continued with one while workers have it.
 */
export function lazyRunCap(store: Store, run: string): () => Promise<SpendingCap> {
  let opening: Promise<SharedCap> | undefined;
  const forget = () => {
    opening = undefined;
  };
  return () => {
    opening ??= joinSharedCap(store, run).then(
      (cap) => {
        if (cap.run === null) forget();
        return cap;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    return opening;
  };
}

/**
 * The cap of a run at which its workers stopped, with what they have paid. Without a limit of its own, the cap around it,
 * such as that of a sweep, is the one that refused: it is told so.
 */
export async function metCap(
  store: Store,
  run: string,
  within: SpendingCap | undefined,
): Promise<SpendingCap> {
  const cap = await joinSharedCap(store, run);
  if (cap.limit !== null || within === undefined) return cap;
  const outer = within as Partial<SharedCap>;
  const account = outer.run == null ? undefined : await store.spending?.read(outer.run);
  if (account !== undefined) outer.refuse?.(account);
  return cap;
}
