import { z } from "zod";

/*
 * The parts of Inspect's log format (version 2, as published with Inspect 0.3.260) that an exported log uses. All objects are
 * strict, so that a log has no member that Inspect does not know. `scripts/check-inspect-log.ts` compares them with the
 * published schema.
 */

export const LOG_VERSION = 2;

const Facts = z.record(z.string(), z.json());

export const ModelUsage = z.strictObject({
  /** Without the tokens of the provider's cache. */
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_cache_read: z.int().optional(),
  /** Within `output_tokens`. */
  reasoning_tokens: z.int().optional(),
  /** Dollars. */
  total_cost: z.number().optional(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
const Usages = z.record(z.string(), ModelUsage);

const ContentText = z.strictObject({ type: z.literal("text"), text: z.string() });
const ContentImage = z.strictObject({
  type: z.literal("image"),
  /** `attachment://` and its name in the sample's attachments. */
  image: z.string(),
  detail: z.literal("auto"),
});
const ContentReasoning = z.strictObject({
  type: z.literal("reasoning"),
  reasoning: z.string(),
  redacted: z.boolean(),
});
const Content = z.discriminatedUnion("type", [ContentText, ContentImage, ContentReasoning]);
export type Content = z.infer<typeof Content>;

const ToolCall = z.strictObject({
  id: z.string(),
  function: z.string(),
  arguments: Facts,
  type: z.literal("function"),
  parse_error: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

const ToolCallError = z.strictObject({
  type: z.enum(["limit", "timeout", "unknown"]),
  message: z.string(),
});

const message = {
  id: z.string(),
  content: z.union([z.string(), z.array(Content)]),
  metadata: Facts.optional(),
};
const ChatMessageAssistant = z.strictObject({
  ...message,
  role: z.literal("assistant"),
  source: z.literal("generate").optional(),
  model: z.string().optional(),
  tool_calls: z.array(ToolCall).optional(),
});
export type ChatMessageAssistant = z.infer<typeof ChatMessageAssistant>;
const ChatMessage = z.discriminatedUnion("role", [
  z.strictObject({ ...message, role: z.literal("system") }),
  z.strictObject({ ...message, role: z.literal("user") }),
  ChatMessageAssistant,
  z.strictObject({
    ...message,
    role: z.literal("tool"),
    tool_call_id: z.string(),
    function: z.string(),
  }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

const ModelOutput = z.strictObject({
  model: z.string(),
  choices: z.array(
    z.strictObject({
      message: ChatMessageAssistant,
      stop_reason: z.enum(["stop", "max_tokens", "tool_calls", "content_filter", "unknown"]),
    }),
  ),
  completion: z.string(),
  usage: ModelUsage.optional(),
  /** Seconds. */
  time: z.number().optional(),
  error: z.string().optional(),
});
export type ModelOutput = z.infer<typeof ModelOutput>;

export const Score = z.strictObject({
  value: z.number(),
  answer: z.string().optional(),
  explanation: z.string().optional(),
  metadata: Facts.optional(),
  history: z.tuple([]),
});
export type Score = z.infer<typeof Score>;

const LogError = z.strictObject({
  message: z.string(),
  traceback: z.string(),
  traceback_ansi: z.string(),
});
export type LogError = z.infer<typeof LogError>;

export const LIMIT_TYPES = ["time", "token", "turn", "cost", "custom"] as const;
const target = z.union([z.string(), z.array(z.string())]);

const Config = z.strictObject({
  temperature: z.number().optional(),
  max_tokens: z.int().optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  seed: z.int().optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh"]).optional(),
  reasoning_tokens: z.int().optional(),
  max_connections: z.int().optional(),
});
export type Config = z.infer<typeof Config>;

const TYPES = ["string", "integer", "number", "boolean", "array", "object", "null"] as const;
/** The members of JSON Schema that Inspect reads. */
export const ToolParameter = z.strictObject({
  type: z.union([z.enum(TYPES), z.array(z.enum(TYPES))]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  /** Null: none. */
  default: z.json(),
  enum: z.array(z.json()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.int().optional(),
  maxLength: z.int().optional(),
  pattern: z.string().optional(),
  get items() {
    return ToolParameter.optional();
  },
  get properties() {
    return z.record(z.string(), ToolParameter).optional();
  },
  get anyOf() {
    return z.array(ToolParameter).optional();
  },
  required: z.array(z.string()).optional(),
});
export type ToolParameter = z.infer<typeof ToolParameter>;

const event = {
  uuid: z.string(),
  timestamp: z.string(),
  /** Seconds since the sample began. */
  working_start: z.number(),
  span_id: z.string().optional(),
};
const LogEvent = z.discriminatedUnion("event", [
  z.strictObject({
    ...event,
    event: z.literal("sample_init"),
    sample: z.strictObject({
      id: z.string(),
      input: z.string(),
      choices: z.array(z.string()).optional(),
      target,
    }),
    state: Facts,
  }),
  z.strictObject({
    ...event,
    event: z.literal("span_begin"),
    id: z.string(),
    name: z.string(),
    type: z.string(),
  }),
  z.strictObject({ ...event, event: z.literal("span_end"), id: z.string() }),
  z.strictObject({
    ...event,
    event: z.literal("model"),
    model: z.string(),
    role: z.string(),
    input: z.tuple([]),
    /** Ranges of the messages in `events_data`, from and up to, without the latter. */
    input_refs: z.array(z.tuple([z.int(), z.int()])).optional(),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        parameters: z.strictObject({
          type: z.literal("object"),
          properties: z.record(z.string(), ToolParameter),
          required: z.array(z.string()),
        }),
      }),
    ),
    tool_choice: z.enum(["auto", "any", "none"]),
    config: Config,
    output: ModelOutput,
    cache: z.literal("read").optional(),
    error: z.string().optional(),
    retries: z.int().optional(),
    completed: z.string().optional(),
    working_time: z.number().optional(),
    metadata: Facts,
  }),
  z.strictObject({
    ...event,
    event: z.literal("tool"),
    type: z.literal("function"),
    id: z.string(),
    function: z.string(),
    arguments: Facts,
    result: z.union([z.string(), z.array(z.union([ContentText, ContentImage]))]),
    error: ToolCallError.optional(),
    events: z.tuple([]),
    working_time: z.number(),
  }),
  z.strictObject({ ...event, event: z.literal("info"), source: z.string(), data: z.json() }),
  z.strictObject({
    ...event,
    event: z.literal("sample_limit"),
    type: z.enum(LIMIT_TYPES),
    message: z.string(),
    limit: z.number().optional(),
  }),
  z.strictObject({ ...event, event: z.literal("error"), error: LogError }),
  z.strictObject({
    ...event,
    event: z.literal("score"),
    scorer: z.string(),
    score: Score,
    target,
    intermediate: z.literal(false),
  }),
]);
export type LogEvent = z.infer<typeof LogEvent>;
export type ToolInfo = Extract<LogEvent, { event: "model" }>["tools"][number];

const sample = {
  id: z.string(),
  epoch: z.int(),
  input: z.string(),
  choices: z.array(z.string()).optional(),
  target,
  metadata: Facts,
  scores: z.record(z.string(), Score),
  model_usage: Usages,
  role_usage: Usages,
  started_at: z.string().optional(),
  completed_at: z.string().optional(),
  /** Seconds. */
  total_time: z.number().optional(),
  working_time: z.number().optional(),
  uuid: z.string(),
};

export const EvalSample = z.strictObject({
  ...sample,
  messages: z.array(ChatMessage),
  output: ModelOutput,
  store: z.strictObject({}),
  events: z.array(LogEvent),
  events_data: z.strictObject({ messages: z.array(ChatMessage), calls: z.tuple([]) }).optional(),
  error: LogError.optional(),
  limit: z.strictObject({ type: z.enum(LIMIT_TYPES), limit: z.number() }).optional(),
  /** Data URIs by name. */
  attachments: z.record(z.string(), z.string()),
});
export type EvalSample = z.infer<typeof EvalSample>;

export const EvalSampleSummary = z.strictObject({
  ...sample,
  error: z.string().optional(),
  limit: z.string().optional(),
  completed: z.literal(true),
  message_count: z.int(),
});
export type EvalSampleSummary = z.infer<typeof EvalSampleSummary>;

export const EvalSpec = z.strictObject({
  eval_id: z.string(),
  run_id: z.string(),
  created: z.string(),
  task: z.string(),
  task_id: z.string(),
  task_version: z.int(),
  task_display_name: z.string(),
  task_attribs: z.strictObject({}),
  task_args: Facts,
  task_args_passed: Facts,
  solver: z.string().optional(),
  solver_args: Facts.optional(),
  solver_args_passed: Facts.optional(),
  dataset: z.strictObject({
    name: z.string(),
    location: z.string().optional(),
    samples: z.int(),
    sample_ids: z.array(z.string()),
    shuffled: z.boolean().optional(),
  }),
  model: z.string(),
  model_base_url: z.string().optional(),
  model_generate_config: Config,
  model_args: Facts,
  model_roles: z
    .record(
      z.string(),
      z.strictObject({ model: z.string(), config: Config, args: z.strictObject({}) }),
    )
    .optional(),
  config: z.strictObject({
    epochs: z.int(),
    epochs_reducer: z.tuple([z.literal("mean")]).optional(),
    limit: z.tuple([z.int(), z.int()]).optional(),
    sample_id: z.array(z.string()).optional(),
    sample_shuffle: z.int().optional(),
    max_samples: z.int().optional(),
    fail_on_error: z.number().optional(),
    log_images: z.boolean(),
  }),
  packages: z.record(z.string(), z.string()),
  metadata: Facts,
  scorers: z.array(z.strictObject({ name: z.string(), options: Facts })),
});
export type EvalSpec = z.infer<typeof EvalSpec>;

export const EvalPlan = z.strictObject({
  name: z.literal("plan"),
  steps: z.array(z.strictObject({ solver: z.string(), params: Facts, params_passed: Facts })),
  config: Config,
});
export type EvalPlan = z.infer<typeof EvalPlan>;

const EvalMetric = z.strictObject({
  name: z.string(),
  value: z.number(),
  params: z.strictObject({}),
});

export const EvalResults = z.strictObject({
  total_samples: z.int(),
  completed_samples: z.int(),
  scores: z.array(
    z.strictObject({
      name: z.string(),
      scorer: z.string(),
      reducer: z.literal("mean").optional(),
      scored_samples: z.int(),
      unscored_samples: z.int(),
      params: z.strictObject({}),
      metrics: z.record(z.string(), EvalMetric),
      metadata: Facts.optional(),
    }),
  ),
  metadata: Facts,
});
export type EvalResults = z.infer<typeof EvalResults>;

const version = z.literal(LOG_VERSION);
export const LogStart = z.strictObject({ version, eval: EvalSpec, plan: EvalPlan });

export const EvalLog = z.strictObject({
  version,
  status: z.enum(["started", "success", "cancelled", "error"]),
  eval: EvalSpec,
  plan: EvalPlan,
  results: EvalResults,
  stats: z.strictObject({
    started_at: z.string(),
    completed_at: z.string(),
    model_usage: Usages,
    role_usage: Usages,
    connection_limit_history: z.tuple([]),
  }),
  error: LogError.optional(),
  invalidated: z.literal(false),
  tags: z.tuple([]),
  metadata: z.strictObject({}),
});
export type EvalLog = z.infer<typeof EvalLog>;

export const EvalSampleReductions = z.strictObject({
  scorer: z.string(),
  reducer: z.literal("mean").optional(),
  samples: z.array(Score.extend({ sample_id: z.string() })),
});
export type EvalSampleReductions = z.infer<typeof EvalSampleReductions>;
