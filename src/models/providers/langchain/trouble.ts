import { z } from "zod";
import { Failure } from "../../../core/errors.ts";
import { AttemptError, answerOf, askedPause, codeOf, unusable } from "../../attempt.ts";
import { wordsWithout } from "../../json.ts";
import { secretsOf, type Target } from "../../target.ts";
import type { Exchange } from "./exchange.ts";
import type { Integration } from "./integration.ts";

const UNREACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
/** Error codes of the system and of undici; Node's own errors (`ERR_...`) do not concern the connection. */
const OF_CONNECTION = /^(E(?!RR_)[A-Z_]+|UND_ERR_\w+)$/;

/**
 * Converts an error of an integration. A failure that the exchange recorded takes precedence, because integrations hide
 * most of it.
 */
export function troubleOf(
  error: unknown,
  exchange: Exchange,
  target: Target,
  integration: Integration,
): unknown {
  const seen = exchange.failure();
  if (seen instanceof AttemptError || seen instanceof Failure) return seen;
  if (seen !== undefined) return connectionTrouble(seen, target);
  const words = wordsWithout(secretsOf(target), ownWords(error));
  if (exchange.hasReply()) return unusable(`unreadable for ${integration.package} (${words})`);
  if (error instanceof Failure) return error;
  if (!integration.hasFetch) {
    const answer = statusOf(error);
    if (answer !== null) return new AttemptError({ kind: "status", ...answer }, words);
    if (OF_CONNECTION.test(codeOf(error) ?? "")) return connectionTrouble(error, target);
  }
  return packageRefusal(words, target, integration);
}

/** The failure of a request that an integration did not send. */
export function packageRefusal(
  words: string,
  target: Target,
  { package: name }: Integration,
): Failure {
  return new Failure(
    "model-rejected",
    `The package ${name} refused the request for ${target.name}: ${words}`,
    { model: target.name, package: name, status: 400 },
  );
}

function connectionTrouble(error: unknown, target: Target): AttemptError {
  const code = codeOf(error);
  return new AttemptError(
    { kind: code !== undefined && UNREACHED.has(code) ? "refused-connection" : "dropped" },
    code ?? wordsWithout(secretsOf(target), ownWords(error)),
  );
}

/** How classes with their own client report an HTTP status. */
const Answer = z.union([
  z.looseObject({ $metadata: z.looseObject({ httpStatusCode: z.number() }) }),
  z.looseObject({ statusCode: z.number() }),
]);
const WithHeaders = z.looseObject({ headers: z.instanceof(Headers) });

function statusOf(error: unknown): { status: number; retryAfter_s: number | null } | null {
  const known = answerOf(error);
  const { data } = Answer.safeParse(error);
  const metadata = data?.$metadata as { httpStatusCode: number } | undefined;
  const status = known?.status ?? metadata?.httpStatusCode ?? data?.statusCode;
  if (typeof status !== "number") return null;
  return {
    status,
    retryAfter_s: askedPause(WithHeaders.safeParse(known?.from ?? error).data?.headers),
  };
}

/** The first line of a message: LangChain adds advice on further lines. */
function ownWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\n\nTroubleshooting URL[\s\S]*$/, "");
}
