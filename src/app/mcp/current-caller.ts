import type { Caller } from "../service/auth.ts";

/** Who calls at the moment; the same owner for the whole session. */
export interface CurrentCaller {
  caller: Caller;
  address: string;
}
