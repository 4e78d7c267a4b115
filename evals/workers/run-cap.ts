import type { Store } from "../../src/core/contracts.ts";
import { joinSharedCap, type SharedCap } from "../../src/core/shared-cap.ts";
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
