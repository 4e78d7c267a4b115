import { AttemptError, answerOf, askedPause, codeOf, unusable } from "../../attempt.ts";
import { jsonOrText, wordsWithout } from "../../json.ts";
import { secretsOf, type Target } from "../../target.ts";
import { isOpenAI } from "./generation.ts";

/**
 * llama.cpp refuses by status 500: `tools param requires --jinja flag`, `Unsupported param: tools`, `image input is not
 * supported`.
 */
const UNSUPPORTED = /\brequires --jinja\b|\bunsupported\b|\bis not supported\b/i;

/**
 * In OpenAI's message about a quota that is used up, also behind a gateway. Alibaba sends the same code and sentence for
 * a limit of tokens per minute.
 */
const OPENAI = /\bopenai\.com\b/;

/** Converts what LangChain and OpenAI's client throw. */
export function troubleOf(error: unknown, target: Target): AttemptError {
  const words = wordsWithout(secretsOf(target), wordsOf(error));
  const answer = answerOf(error);
  if (answer !== undefined) {
    const { headers, code: named } = answer.from as { headers?: Headers; code?: unknown };
    const retryAfter_s = askedPause(headers);
    const isSpent = named === "insufficient_quota" && (isOpenAI(target) || OPENAI.test(words));
    const spent = isSpent ? { spent: true as const } : {};
    const { status } = answer;
    const permanent = status === 500 && UNSUPPORTED.test(words) ? { permanent: true as const } : {};
    return new AttemptError(
      { kind: "status", status, retryAfter_s, ...spent, ...permanent },
      words,
    );
  }
  const code = codeOf(error);
  if (code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new AttemptError({ kind: "refused-connection" }, code);
  if (error instanceof SyntaxError) return unusable(`not JSON (${words})`);
  return new AttemptError({ kind: "dropped" }, code ?? words);
}

/** The server's own words, without the status before them and the advice that LangChain adds on further lines. */
function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const words = message
    .replace(/\n\nTroubleshooting URL[\s\S]*$/, "")
    .replace(/^\d{3} (status code \(no body\))?/, "");
  // An error that is only a text comes as JSON.
  const read = jsonOrText(words);
  return typeof read === "string" ? read : words;
}
