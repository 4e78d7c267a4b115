import { z } from "zod";

const ErrorBody = z.looseObject({
  choices: z.null().or(z.tuple([])).optional(),
  error: z.looseObject({ code: z.unknown().optional() }).or(z.string().min(1)),
});

/** Status of an error that names none: whoever the server asked in its turn has failed. */
const BAD_GATEWAY = 502;

/**
 * The status that an error in the body of a 200 names, 400 to 599, as routers before several providers send it once they
 * have begun to answer; 502 where it names none, null where the body is no error.
 */
export function honestStatus(body: unknown): number | null {
  const { data } = ErrorBody.safeParse(body);
  if (data === undefined) return null;
  const code = typeof data.error === "string" ? Number.NaN : Number(data.error.code);
  return code >= 400 && code < 600 ? Math.floor(code) : BAD_GATEWAY;
}
