import type { RequestContent } from "./request.ts";

/* The input and the output of a script. */

/** One request, decoded. */
export interface SeenRequest extends RequestContent {
  /** Protocol of the request. */
  protocol: "openai" | "google" | "anthropic" | "ollama";
  kind: "chat" | "models" | "embeddings" | "transcription";
  /** Arrival order over all kinds, from 0. */
  index: number;
  /** Milliseconds since 1970. */
  at: number;
  path: string;
  /** Headers; keys are redacted. */
  headers: Record<string, string>;
  /** SHA-256 of the body: equal for equal requests. */
  hash: string;
  bytes: number;
  /** The parsed JSON body; of a form, its fields without the file, with all values of each name. */
  body: unknown;
  /** Number of requests in flight when this one arrived, including itself. */
  inFlight: number;
  /** Whether the client disconnected before the reply was sent. */
  aborted: boolean;
  /** HTTP status of the response; 0 if it is not sent yet or the connection was dropped. */
  status: number;
}

/** The server's reply. Every member is optional. */
export interface Reply {
  text?: string;
  /** `signature`: Gemini's thought signature of the call; Anthropic's of the thinking before it. */
  toolCalls?: { name: string; arguments: unknown; id?: string; signature?: string }[];
  /** Sent as `reasoning_content` (OpenAI-compatible), as a thought (Gemini) or as thinking (Anthropic, Ollama). */
  reasoning?: string;
  /** More members of an OpenAI-compatible message. */
  message?: Record<string, unknown>;
  /** Token -> log-probability at the first position. */
  logprobs?: Record<string, number>;
  /** Finish reason of the protocol; default `stop` or `tool_calls`. `length` works in all, `refused` in all but Ollama. */
  finish?: string;
  /** Sent as `message.refusal` (OpenAI), `promptFeedback.blockReason` (Gemini) or text with the reason `refusal` (Anthropic). */
  refusal?: string;
  /** HTTP status; other than 200: an error with `text` as its message. Default 200. */
  status?: number;
  /** More headers of the response, such as `retry-after`. */
  headers?: Record<string, string>;
  /** Ends the connection before the reply or in its middle. */
  drop?: "before" | "middle";
  /** Milliseconds to wait before the reply. Default 0. */
  delay_ms?: number;
  /** Sends a successful reply without text. */
  empty?: boolean;
  /** Default: estimated from the text and the pictures. */
  usage?: Tokens;
  /** Response body, sent unchanged instead of a reply in the protocol. */
  body?: string;
  /** Segments of a transcription, in seconds; left out of a reply in the formats `json` and `text`. */
  segments?: { start: number; end: number; text: string; [more: string]: unknown }[];
  /** Words of a transcription, if the request asks for their times. */
  words?: { word: string; start: number; end: number; [more: string]: unknown }[];
  /** One vector per text of an embedding request; default: a hashed bag of words. */
  vectors?: number[][];
}

/** Answers each request; a string is the text of a reply. Called once for each attempt of a client. */
export type Script = (request: SeenRequest) => Reply | string | Promise<Reply | string>;

/** Tokens that a reply reports. `thinking` is counted in addition to `output`; `cached` is part of `input`. */
export interface Tokens {
  input: number;
  output: number;
  thinking?: number;
  cached?: number;
}
