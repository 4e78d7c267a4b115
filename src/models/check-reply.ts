import { z } from "zod";
import { readReturned } from "../core/read-returned.ts";
import type { AttemptReply } from "./attempt.ts";
import { FINISHES } from "./chat.ts";

const Reply = z.looseObject({
  text: z.string(),
  finish: z.enum(FINISHES),
  toolCalls: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  tokens: z.looseObject({}).nullish(),
});

/**
 * Checks what the client of a provider returned, which may be a user's code. Counts of tokens are checked where they are
 * read (`completedTokens`). Throws `Failure` `code-failed` that names the provider and the wrong member.
 */
export function checkReply(reply: AttemptReply, provider: string): void {
  readReturned(Reply, reply, `The provider ${provider}`, EXPECTED);
}

const EXPECTED = "return { text, finish, toolCalls, tokens }";
