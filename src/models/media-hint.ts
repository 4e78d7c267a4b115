import { Failure, isFailure } from "../core/errors.ts";
import type { ChatRequest, Medium } from "./chat.ts";

/** What a person can do if a server does not accept such a part. */
const ADVICE: Record<Medium["type"], string> = {
  video: "the request contains video: if the server does not accept it, use `--media frames`",
  audio: "the request contains sound: if the server does not accept it, leave out `--audio`",
};

/** Statuses with which servers refuse a kind of content that they do not know; llama.cpp sends 500. */
const REFUSALS: readonly unknown[] = [400, 413, 415, 422, 500, 501];

/** The failure of a request, with a possible reason if the request contained video or sound. */
export function withMediaHint(error: unknown, request: ChatRequest): unknown {
  if (!isFailure(error) || !REFUSALS.includes(error.facts.status)) return error;
  const parts = request.messages.flatMap((message) => ("parts" in message ? message.parts : []));
  const type = (["video", "audio"] as const).find((kind) =>
    parts.some((part) => part.type === kind),
  );
  return type === undefined ? error : withAdvice(error, ADVICE[type]);
}

function withAdvice(failure: Failure, advice: string): Failure {
  const { kind, message, facts, cause } = failure;
  return new Failure(kind, `${message} (${advice})`, { ...facts }, { cause });
}
