import type { z } from "zod";
import type { Role } from "../core/events.ts";
import type { Spend } from "../core/ledger.ts";
import type { VideoSampling } from "../core/settings.ts";
import type { FrameRef, Limit, Usage } from "../core/shapes.ts";

/*
 * A conversation in this project's form. Media are named by hash; the adapters read the bytes from the blobs when a
 * request is sent, so that base64 appears nowhere else.
 */

/** A piece of a message: words, a picture, or a medium. */
export type Part =
  | { type: "text"; text: string }
  /** `label`: text directly before the picture, in any message. */
  | { type: "image"; frame: FrameRef; label?: string }
  | Medium;

/** A video, a clip of one, or sound. */
export interface Medium {
  type: "video" | "audio";
  /** Names a blob, or the video file itself. */
  hash: string;
  /** Such as `video/mp4`, `audio/wav`. */
  mime: string;
  /** Text directly before it. */
  label?: string;
  /** The part of the file to use, in seconds from its start, for servers that support it (Gemini). */
  span?: { from_s: number; to_s: number };
  /**
   * Hash of its source and of how it was made (video, times, size). It replaces the hash of the bytes in the memo key,
   * since another build of ffmpeg writes other bytes for the same clip.
   */
  made?: string;
  /**
   * The span of the video that a clip was cut from, in seconds. Only recorded, not part of the request or the memo key.
   */
  cut?: { from_s: number; to_s: number };
  /** Bytes of the file. Absent for files that are always sent inside the request. */
  bytes?: number;
  /** Length in seconds, for the estimate of tokens. */
  seconds?: number;
}

/** A call of a tool that a model asks for. */
export interface ToolCall {
  id: string;
  name: string;
  /** Arguments as the model wrote them, parsed if they were JSON; else the raw text. */
  arguments: unknown;
}

/**
 * Content that a provider needs back unchanged with a turn of the assistant: the reasoning of an OpenAI-compatible
 * server (members of the message), Gemini's content with its thought signatures. It is not sent to another provider.
 */
export interface ProviderContent {
  provider: string;
  content: Record<string, unknown>;
}

/** One turn of a conversation. */
export type Message =
  | { role: "system"; text: string }
  | { role: "user"; parts: Part[] }
  | { role: "assistant"; text: string; toolCalls: ToolCall[]; own?: ProviderContent }
  /** A tool's result; pictures come back as pictures. */
  | { role: "tool"; toolCallId: string; name: string; parts: Part[] };

/** A tool that a model is offered. */
export interface ToolSpec {
  name: string;
  description: string;
  /** Of its arguments: in zod, or as JSON Schema. */
  schema: z.ZodObject | Record<string, unknown>;
  /** `description` explains the parameters: their own descriptions are not sent. */
  undescribed?: true;
}

/** One request to a chat model. */
export interface ChatRequest {
  messages: Message[];
  temperature: number;
  /** New tokens the reply may have. */
  maxTokens: number;
  seed?: number;
  /** Settings of generation; each is present only if a user set it. */
  topP?: number;
  topK?: number;
  reasoningEffort?: string;
  /** Tokens of thinking; 0: none, -1: as many as the model wants. */
  thinkingBudget?: number;
  /** Further members of the body, for OpenAI-compatible servers. */
  extraBody?: Record<string, unknown>;
  tools?: ToolSpec[];
  toolChoice?: "auto" | "none" | "required";
  /** How the server is to sample the videos of this request; only what a person set. */
  video?: VideoSampling;
  /** Requests the log-probabilities of the first token's alternatives, if the server provides them. */
  logprobs?: boolean;
}

export const FINISHES = ["stop", "length", "tool-calls", "refused", "empty", "broken"] as const;

/**
 * How a reply ended. `length`: at the caller's own token limit. `broken`: the stream or body ended early.
 * Only `stop`, `length` and `tool-calls` may serve other runs.
 */
export type Finish = (typeof FINISHES)[number];

/** Tokens of a reply. `reasoning` is part of `output`, `cached_input` of `input`; both are left out for 0. */
export interface TokenCount {
  input: number;
  output: number;
  reasoning?: number;
  cached_input?: number;
}

/** What a model replied. */
export interface ChatReply {
  text: string;
  finish: Finish;
  toolCalls: ToolCall[];
  tokens: TokenCount;
  /** The model's reasoning, if it is separate from the text. No answer is read from it. */
  reasoning?: string;
  /** For later turns; present only if tools were offered, since other replies are not sent back. */
  own?: ProviderContent;
  /** Token -> log-probability at the first position of the reply. */
  logprobs?: Record<string, number>;
  /** The server did not count tokens: `tokens` is our estimate. */
  estimated?: true;
  /** Seconds from sending the request to the end of the reply, stored with it; missing in older stored replies. */
  seconds?: number;
  /** Earlier requests without a usable reply, and the tokens billed for them; stored with it, missing if there were none. */
  retried?: { requests: number; input: number; output: number };
}

/** A frame as a call shows it: the hash of the picture it is, or is part of, and its own time. */
export interface ShownFrame {
  hash: string;
  t_s: number;
}

/** One call on behalf of a stage. */
export interface Call {
  role: Role;
  stage: string;
  /** For a person: `clip 3`. */
  label: string;
  /** Hash of each prompt used, by name. */
  prompts: Record<string, string>;
  /** Tags for `forget`: the video's hash. */
  video: string;
  request: ChatRequest;
  /**
   * The frames that this call shows, for budget and usage, if they differ from the pictures of its request: frames of
   * earlier turns are not counted again, and a sheet counts as all frames on it.
   */
  shown?: readonly ShownFrame[];
  /** Ids of the evidence whose text is in the request. Only recorded, not part of the memo key. */
  evidence?: readonly string[];
  epoch: number;
  /** Numbers repeated draws of the same request (an answer asked once more, votes). Default 0. */
  draw?: number;
}

/** The result of a call. */
export type CallResult =
  | { status: "replied"; reply: ChatReply; usage: Usage; cached: boolean }
  /** A budget did not allow the call; nothing was sent. */
  | { status: "limit"; limit: Limit };

/**
 * What graphs call. Throws `Failure` only for failures that a retry cannot fix (missing key, invalid request, server
 * unreachable).
 */
export interface Models {
  call(call: Call): Promise<CallResult>;
  /**
   * What a budget reserves for a call: its known input and the expected output of its role. `more`: tokens of input
   * that its request does not contain yet, such as replies to be quoted.
   */
  foresee(call: Pick<Call, "role" | "request" | "shown">, more?: number): Promise<Spend>;
  /** The model that a role uses, `provider:model`, or null if none was given. */
  nameOf(role: Role): string | null;
}
