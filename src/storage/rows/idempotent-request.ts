import type { IdempotentRequest } from "../../core/idempotency.ts";

/** A row of the table `idempotent`. */
export function idempotentRequest(row: Record<string, unknown>): IdempotentRequest {
  const { owner, key, about, request, made, created_at, status, location, body } = row;
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    owner: String(owner),
    key: String(key),
    request: String(request),
    made: String(made),
    about: text(about),
    created_at: Number(created_at),
    response:
      status === null
        ? null
        : { status: Number(status), location: text(location), body: text(body) },
  };
}
