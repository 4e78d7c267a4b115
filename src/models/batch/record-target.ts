import { Failure } from "../../core/errors.ts";
import { findTarget, type ServerSettings, type Target } from "../target.ts";
import { accountOf } from "../uploads.ts";
import type { BatchRecord } from "./batch-record.ts";

/** What reaches a server in addition to the address in the record. */
export type RecordAccess = Pick<ServerSettings, "headers">;

/** The model of a recorded batch at its server. Throws `Failure` `missing-key` also for a key or headers of another account. */
export function findRecordTarget(
  { model, base_url, account }: BatchRecord,
  access: RecordAccess,
): Target {
  const target = findTarget(model, { ...access, base_url });
  if (accountOf(target) === account) return target;
  throw new Failure(
    "missing-key",
    "It was sent with another key, or with other headers: pass the same --header.",
    { model },
  );
}
