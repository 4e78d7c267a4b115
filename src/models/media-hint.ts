import { Failure, isFailure } from "../core/errors.ts";
import type { ChatRequest, Medium } from "./chat.ts";

/** What a person can do where a server does not take such a part. */
const ADVICE: Record<Medium["type"], string> = {
  video: "the request holds video: if the server takes none, use `--media frames`",
  audio: "the request holds sound: if the server takes none, leave out `--audio`",
};

/** Statuses with which servers refuse a kind of content that they do not know; llama.cpp sends 500. */
const REFUSALS: readonly unknown[] = [400, 413, 415, 422, 500, 501];

/** The failure of a request, with what may be the reason where it held video or sound. */
export function withMediaHint(error: unknown, request: ChatRequest): unknown {
  if (!isFailure(error) || !REFUSALS.includes(error.facts.status)) return error;
  const parts = request.messages.flatMap((message) => ("parts" in message ? message.parts : []));
  const type = (["video", "audio"] as const).find((kind) =>
    parts.some((part) => part.type === kind),
  );
  return type === undefined ? error : hinted(error, ADVICE[type]);
}

function hinted(failure: Failure, advice: string): Failure {
  const { kind, message, facts, cause } = failure;
  return new Failure(kind, `${message} (${advice})`, { ...facts }, { cause });
}
