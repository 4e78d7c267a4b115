import { z } from "zod";
import { Failure } from "../errors.ts";
import { HEADERS, headerVariables } from "./headers.ts";
import { settingMeta } from "./setting-meta.ts";

/** Limits of concurrent calls: between `min` and `max`, beginning with `start`. */
export interface Connections {
  min: number;
  start: number;
  max: number;
}

const CONNECTIONS = "a whole number from 1 to 1024, or min-start-max such as 4-16-64";
const MOST_CONNECTIONS = 1024;

/** `16` starts at 16 and never exceeds it; null for anything but a number or `min-start-max` in rising order. */
function readConnections(given: number | string): Connections | null {
  const [, min = "", start, max] = /^(\d{1,4})(?:-(\d{1,4})-(\d{1,4}))?$/.exec(String(given)) ?? [];
  const read =
    start === undefined
      ? { min: 1, start: Number(min), max: Number(min) }
      : { min: Number(min), start: Number(start), max: Number(max) };
  const rising = 1 <= read.min && read.min <= read.start && read.start <= read.max;
  return rising && read.max <= MOST_CONNECTIONS ? read : null;
}

/** `runtime.max_connections` as numbers. */
export function connectionsOf({ max_connections }: z.infer<typeof Runtime>): Connections {
  const read = readConnections(max_connections);
  if (read === null)
    throw new Failure(
      "wrong-setting",
      `Invalid --max-connections ${JSON.stringify(max_connections)}: use ${CONNECTIONS}.`,
      { given: max_connections },
    );
  return read;
}

/** Size limits of one reply of a model server in bytes; `bytes` applies both as sent and after decompression. */
export interface ReplyLimits {
  bytes: number;
  headerBytes: number;
}

/** The reply limits of `runtime` settings, with defaults for missing ones. */
export function replyLimitsOf(given: Partial<z.input<typeof Runtime>>): ReplyLimits {
  const { max_reply_mb, max_reply_header_kb } = Limits.parse({
    max_reply_mb: given.max_reply_mb,
    max_reply_header_kb: given.max_reply_header_kb,
  });
  return {
    bytes: Math.floor(max_reply_mb * 2 ** 20),
    headerBytes: Math.floor(max_reply_header_kb * 2 ** 10),
  };
}

/** Rates a minute; null: no limit. */
export interface RateLimits {
  requests: number | null;
  tokens: number | null;
}

/** The rate limits of `runtime` settings. */
export function rateLimitsOf(given: z.infer<typeof Runtime>): RateLimits {
  return { requests: given.requests_per_minute, tokens: given.tokens_per_minute };
}

function perMinute(summary: string) {
  return z.int().min(1).max(1e12).nullable().default(null).describe(summary);
}

/** Places and speed. No result depends on these settings. */
export const Runtime = z.strictObject({
  data: z
    .string()
    .default(".video-rrd")
    .describe("folder of the store")
    .meta(settingMeta({ flag: "data-dir", common: true })),
  base_url: z
    .string()
    .nullable()
    .default(null)
    .describe("address of an OpenAI-compatible server, or another address of the provider")
    .meta(settingMeta({ flag: "base-url", common: true })),
  transcriber_url: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "address of the server of --transcriber, which has /audio/transcriptions; default: --base-url, else the provider's own",
    )
    .meta(settingMeta({ flag: "transcriber-url", common: true })),
  headers: z
    .string({ error: HEADERS })
    .refine((given) => headerVariables(given) !== null, { error: HEADERS })
    .nullable()
    .default(null)
    .describe(
      "header sent with each model request, as 'NAME=$VARIABLE': the value is read from that environment variable and stored nowhere; may be repeated",
    )
    .meta(settingMeta({ flag: "header", common: true, secret: true, repeats: true })),
  max_connections: z
    .union([z.int(), z.string()], { error: CONNECTIONS })
    .refine((given) => readConnections(given) !== null, { error: CONNECTIONS })
    .default(16)
    .describe("concurrent model calls: a number, or min-start-max such as 4-16-64")
    .meta(settingMeta({ flag: "max-connections", common: true })),
  requests_per_minute: perMinute(
    "most requests a minute to each model and address, over all processes of a --store; 429s lower it for a while",
  ).meta(settingMeta({ flag: "requests-per-minute", common: true })),
  tokens_per_minute: perMinute(
    "most tokens a minute to and from each model and address: estimated before a call, corrected after its reply",
  ).meta(settingMeta({ flag: "tokens-per-minute", common: true })),
  batch: z
    .boolean()
    .default(false)
    .describe(
      "send model calls in batches of the provider, which reply within 24 hours at half the price",
    )
    .meta(settingMeta({ flag: "batch", common: true })),
  call_timeout_s: z
    .number()
    .positive()
    .default(300)
    .describe("most seconds of one model call")
    .meta(settingMeta({ flag: "call-timeout", common: true })),
  max_reply_mb: z
    .number()
    .min(0.001)
    .max(256)
    .default(16)
    .describe(
      "most megabytes of one reply of a model server, both as sent and after decompression; a larger reply fails",
    )
    .meta(settingMeta({ flag: "max-reply-mb", common: true })),
  max_reply_header_kb: z
    .number()
    .min(0.25)
    .max(1024)
    .default(16)
    .describe("most kilobytes of headers of one reply of a model server")
    .meta(settingMeta({ flag: "max-reply-header-kb", common: true })),
  media_memory_mb: z
    .number()
    .positive()
    .default(512)
    .describe(
      "MB of frames and other media that model requests hold in memory at once, over all questions; a larger file is sent when no other is in memory",
    )
    .meta(settingMeta({ flag: "media-memory", common: true })),
  question_megapixels: z
    .number()
    .positive()
    .default(1500)
    .describe("most millions of pixels in all frames of one question, checked before decoding")
    .meta(settingMeta({ flag: "question-megapixels", common: true })),
  question_mb: z
    .number()
    .positive()
    .default(512)
    .describe(
      "most MB of the frames of one question, or of the media of one request: estimated before decoding, counted before sending",
    )
    .meta(settingMeta({ flag: "question-mb", common: true })),
  prompts: z
    .string()
    .nullable()
    .default(null)
    .describe("folder whose files replace prompts of the same names")
    .meta(settingMeta({ flag: "prompts", common: true })),
  mcp: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'JSON file of MCP servers ({"mcpServers": ...}, as other clients have it) whose tools the agent may call in addition to its own',
    )
    .meta(settingMeta({ flag: "mcp" })),
  trace_file: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "file to which the spans of each question, stage, model call and tool are appended, as OTLP JSON lines",
    )
    .meta(settingMeta({ flag: "trace-file", common: true })),
  trace_content: z
    .boolean()
    .default(false)
    .describe(
      "whether traces contain the words of questions, videos and replies; without it, OpenTelemetry gets none, and LangSmith their hashes and sizes",
    )
    .meta(settingMeta({ flag: "trace-content", common: true })),
  prices: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "YAML file of prices (dollars per million tokens: input, output, cached_input; batch: 0.5 for the price in batches) that extends the built-in table",
    )
    .meta(settingMeta({ flag: "prices", common: true })),
});

const Limits = Runtime.pick({ max_reply_mb: true, max_reply_header_kb: true });
