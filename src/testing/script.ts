import type { Asked } from "./request.ts";

/* What a script is given, and what it says. */

/** One request, decoded. */
export interface SeenRequest extends Asked {
  /** How it was asked. */
  protocol: "openai" | "google" | "anthropic" | "ollama";
  kind: "chat" | "models" | "embeddings" | "transcription";
  /** Arrival order over all kinds, from 0. */
  index: number;
  /** Milliseconds since 1970. */
  at: number;
  path: string;
  /** Keys redacted. */
  headers: Record<string, string>;
  /** SHA-256 of the body: equal for equal requests. */
  hash: string;
  bytes: number;
  /** The body as it was parsed; null for a form. */
  body: unknown;
  /** Requests being answered when this one had arrived, itself included. */
  inFlight: number;
  /** The client hung up before the reply was out. */
  aborted: boolean;
  /** Status sent, 0 for a dropped connection or while there is none. */
  status: number;
}

/** What the server replies. Every member may be missing. */
export interface Reply {
  text?: string;
  /** `signature`: Gemini's thought signature of the call; Anthropic's of the thinking before it. */
  toolCalls?: { name: string; arguments: unknown; id?: string; signature?: string }[];
  /** OpenAI-compatible servers' `reasoning_content`, Gemini's part that is a thought, Anthropic's and Ollama's thinking. */
  reasoning?: string;
  /** Further members of an OpenAI-compatible message. */
  message?: Record<string, unknown>;
  /** Token -> log-probability at the first position. */
  logprobs?: Record<string, number>;
  /** The protocol's own word; default `stop`, or `tool_calls`. `refused` works for all but Ollama, `length` for all. */
  finish?: string;
  /** OpenAI's `message.refusal`, Gemini's `promptFeedback.blockReason`, Anthropic's words with the reason `refusal`. */
  refusal?: string;
  /** Other than 200: an error with `text` as the server's words. */
  status?: number;
  /** Further headers of the response, such as `retry-after`. */
  headers?: Record<string, string>;
  /** Ends the connection before the reply or in its middle. */
  drop?: "before" | "middle";
  /** Waits before it replies. */
  delay_ms?: number;
  /** A good reply without any text. */
  empty?: boolean;
  /** Default: estimated from the words and pictures. */
  usage?: Tokens;
  /** Sent as it is, in place of a reply of the protocol. */
  body?: string;
  /** For transcriptions. */
  segments?: { start: number; end: number; text: string }[];
  /** For embeddings; default: a hashed bag of words. */
  vectors?: number[][];
}

/** Answers each request; a string is the text of a reply. Called once for each attempt of a client. */
export type Script = (request: SeenRequest) => Reply | string | Promise<Reply | string>;

/** Tokens that a reply says it used. `thinking` is counted in addition to `output`; `cached` is part of `input`. */
export interface Tokens {
  input: number;
  output: number;
  thinking?: number;
  cached?: number;
}
