import { type CallsInFlight, callsInFlight, type Waiting } from "./calls-in-flight.ts";
import type { Failure } from "./errors.ts";
import type { NamedAccount, SpendingAccounts } from "./spending-accounts.ts";
import { createSpendingCap, limitMet, type Reserved, type SpendingCap } from "./spending-cap.ts";

/** What a cap needs of a store. A store of one machine has no accounts: the limit is then this process's own. */
interface AccountStore {
  spending?: SpendingAccounts;
}

/** A cap whose account other processes use too. */
export interface SharedCap extends SpendingCap {
  /** The run of the account; null: only this process uses it. */
  run: string | null;
  /** Calls of this process that this cap applies to, those of runs within it included. */
  inFlight: CallsInFlight;
  /** Records that this account refused a call of a run within it. */
  refuse(account: NamedAccount): void;
}

/** What else a cap may be told. */
export interface SharedCapOptions {
  /** Is called for every payment above 0 of this process. */
  onPaid?: (dollars: number) => void;
  /** A cap that applies to these calls too, such as that of a whole sweep. */
  within?: SpendingCap | undefined;
}

/**
 * Opens the spending cap of a run for all processes of the store, by the id of the run. Opened again, it continues with
 * what was spent, and with the new limit. `before`: dollars that were paid outside of the store's account, as by an
 * earlier run without it.
 */
export async function openSharedCap(
  store: AccountStore,
  run: string,
  limit: number | null,
  before = 0,
  { onPaid, within }: SharedCapOptions = {},
): Promise<SharedCap> {
  const { spending } = store;
  if (spending === undefined) return ofOneProcess(createSpendingCap(limit, before, onPaid, within));
  const outer = isShared(within) ? within : undefined;
  const account = await spending.open(run, limit, before, outer?.run ?? undefined);
  return capOf(spending, account, { onPaid, within });
}

/**
 * The cap that another process opened for a run, with its limit and that of its sweep. Without an account there is no limit.
 */
export async function joinSharedCap(
  store: AccountStore,
  run: string,
  options: Pick<SharedCapOptions, "onPaid"> = {},
): Promise<SharedCap> {
  const { spending } = store;
  const account = await spending?.read(run);
  if (spending === undefined || account === undefined)
    return ofOneProcess(createSpendingCap(null, 0, options.onPaid));
  return capOf(spending, account, options);
}

/** Whether the dollars would fit if nothing were reserved. */
function wouldFitAlone({ limit, spent }: NamedAccount, dollars: number | null): boolean {
  return limit === null || spent + (dollars ?? 0) <= limit;
}

function ofOneProcess(cap: SpendingCap): SharedCap {
  return { ...cap, run: null, inFlight: callsInFlight(), refuse: () => undefined };
}

function isShared(cap: SpendingCap | undefined): cap is SharedCap & { run: string } {
  return cap !== undefined && "run" in cap && typeof cap.run === "string";
}

function capOf(
  spending: SpendingAccounts,
  opened: NamedAccount,
  { onPaid, within }: SharedCapOptions,
): SharedCap {
  const { run } = opened;
  const inFlight = isShared(within) ? within.inFlight : callsInFlight();
  let known = opened;
  let refused = false;
  // The account of a shared one is checked together with this one.
  const outer = isShared(within) ? undefined : within;

  function refuse(account: NamedAccount): void {
    known = account;
    refused = true;
  }

  /** A call that is in flight until it is told to be settled, and what is reserved for it. */
  async function reserveOwn(dollars: number | null, options: Waiting | undefined) {
    for (;;) {
      // A call may be settled while the account is asked.
      const since = inFlight.settled();
      const call = inFlight.begin();
      const held = await spending.reserve(run, dollars ?? 0).catch((error: unknown) => {
        call.refused();
        throw error;
      });
      if (!("refused" in held)) return { call, held };
      call.refused();
      // Only calls of this process: what another had reserved is not settled soon if it was killed.
      const waits = wouldFitAlone(held.refused, dollars) && (await inFlight.next(since, options));
      if (!waits) throw noteRefusal(held.refused);
    }
  }

  /** Keeps that an account refused a call, and returns the failure that says so. */
  function noteRefusal(account: NamedAccount): Failure {
    if (account.run === run) refuse(account);
    else {
      refused = true;
      if (isShared(within)) within.refuse(account);
    }
    return limitMet(account.limit, account.spent, account.reserved);
  }

  return {
    run,
    inFlight,
    refuse,
    get limit() {
      return known.limit;
    },
    async reserve(dollars, options) {
      const { call, held } = await reserveOwn(dollars, options);
      let more: Reserved | undefined;
      try {
        more = await outer?.reserve(dollars, options);
      } catch (error) {
        await held.settle(0).catch(() => undefined);
        call.settled();
        throw error;
      }
      return {
        async settle(real) {
          try {
            await more?.settle(real);
            if (real !== null && real > 0) onPaid?.(real);
            // If the database is gone, the reply that was paid for is kept, and the reserved dollars count as spent.
            known = (await held.settle(real ?? 0).catch(() => undefined)) ?? known;
          } finally {
            call.settled();
          }
        },
      };
    },
    paid: () => known.spent,
    met: () => refused || outer?.met() === true,
  };
}
