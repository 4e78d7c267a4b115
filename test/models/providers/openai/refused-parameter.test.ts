import { expect, test } from "vitest";
import {
  type OptionalParameter,
  refusedParameter,
} from "../../../../src/models/providers/openai/refused-parameter.ts";

const ALL: OptionalParameter[] = ["logprobs", "seed", "reasoning", "temperature", "max_tokens"];
const openai = (message: string, more: object = {}) => ({ error: { message, ...more } });
const detail = (loc: unknown[], more: object = {}) => [
  { type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input: 5, ...more },
];

test.each<[OptionalParameter, unknown]>([
  ["seed", openai("Unrecognized request argument supplied: seed")],
  ["logprobs", openai("Unrecognized request arguments supplied: logprobs, top_logprobs")],
  ["logprobs", openai("Unsupported parameter: 'logprobs' is not supported with this model.")],
  ["reasoning", openai("Unknown parameter: 'messages[1].reasoning'.")],
  ["logprobs", openai("You are not allowed to request logprobs from this model.")],
  ["logprobs", [openai("Logprobs is not enabled for this model.", { code: 400 })]],
  ["seed", openai("Unsupported parameter", { param: "seed" })],
  [
    "logprobs",
    openai("Try another model.", { param: "top_logprobs", code: "unsupported_parameter" }),
  ],
  ["reasoning", openai("Unknown parameter.", { param: "messages[1].reasoning_content" })],
  ["logprobs", openai("logprobs, best_of and echo parameters are not available on this model.")],
  // vLLM, in several versions, and NIM
  ["seed", { detail: detail(["body", "seed"]) }],
  [
    "seed",
    {
      object: "error",
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 5}]",
    },
  ],
  ["seed", openai("1 validation error for Request\nseed\n  Extra inputs are not permitted")],
  ["seed", openai("Validation: Unsupported parameter(s): `seed`")],
  // Mistral
  ["seed", { object: "error", message: { detail: detail(["body", "seed"]) } }],
  [
    "reasoning",
    { message: { detail: detail(["body", "messages", 1, "assistant", "reasoning_content"]) } },
  ],
  // LiteLLM
  [
    "seed",
    openai(
      "litellm.UnsupportedParamsError: bedrock does not support parameters: ['seed'], for model=m. To drop these, set `litellm.drop_params=True`",
    ),
  ],
  ["logprobs", openai("groq does not support parameters: ['logprobs', 'top_logprobs']")],
  ["seed", openai("ollama does not support parameters: {'seed': 3}")],
  // Groq, Cerebras
  ["seed", openai("property 'seed' is unsupported")],
  ["logprobs", openai("`logprobs` is not supported with this model")],
  [
    "reasoning",
    openai(
      "for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
    ),
  ],
  ["reasoning", openai("property 'messages.1.assistant.reasoning_content' is unsupported")],
  // Gemini
  [
    "seed",
    [
      openai('Invalid JSON payload received. Unknown name "seed": Cannot find field.', {
        code: 400,
      }),
    ],
  ],
  // Fireworks, xAI, DeepSeek, Alibaba, Bedrock, Databricks, LM Studio
  ["seed", openai("Extra inputs are not permitted, field: 'seed', value: 5")],
  ["seed", openai("Argument not supported on this model: seed")],
  ["logprobs", openai("deepseek-reasoner does not support the parameter `logprobs`")],
  ["logprobs", openai("This model doesn't support logprobs.")],
  ["logprobs", openai("The parameter logprobs is not supported for this model.")],
  ["seed", openai("#: extraneous key [seed] is not permitted, please reformat your input")],
  ["seed", openai('Bad request: json: unknown field "seed"')],
  ["seed", openai("Unrecognized key(s) in object: 'seed'")],
  ["seed", openai("Additional properties are not allowed ('seed' was unexpected)")],
  ["seed", openai("create() got an unexpected keyword argument 'seed'")],
  ["seed", openai("Invalid parameter: seed")],
  ["seed", openai("The seed parameter isn't supported.")],
  // OpenRouter
  [
    "seed",
    openai("Provider returned error", { metadata: { raw: '{"error":"unknown field `seed`"}' } }),
  ],
  ["seed", "seed is not supported"],
  ["temperature", openai("Unsupported parameter: 'temperature' is not supported with this model.")],
  [
    "temperature",
    openai(
      "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value is supported.",
      { param: "temperature", code: "unsupported_value" },
    ),
  ],
  // Claude, also behind Bedrock and LiteLLM
  ["temperature", { message: "temperature is deprecated for this model." }],
  [
    "temperature",
    openai(
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: {\\"type\\":\\"error\\",\\"error\\":{\\"message\\":\\"`temperature` is deprecated for this model.\\"}}"}',
      { code: "400" },
    ),
  ],
  ["temperature", openai("`temperature` may only be set to 1 when thinking is enabled.")],
  // Kimi
  ["temperature", openai("invalid temperature: only 1 is allowed for this model")],
  ["temperature", openai("invalid temperature: only 0.6 is allowed for this model")],
  [
    "max_tokens",
    openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: "max_tokens", code: "unsupported_parameter" },
    ),
  ],
])("%s is refused by %j", (parameter, body) => {
  expect(refusedParameter(body, ALL, "any")).toBe(parameter);
  const others = ALL.filter((one) => one !== parameter);
  expect(refusedParameter(body, others, "any")).toBeNull();
});

test.each<[string, unknown]>([
  ["doubao-seed-1-6-vision", openai("doubao-seed-1-6-vision: image 3 is too small")],
  ["doubao-seed-1-6-vision", openai("doubao-seed-1-6-vision does not support this image")],
  ["bytedance/seed", openai("seed is not supported in this region")],
  ["any", openai("Unknown model: bytedance/seed-oss is not supported here")],
  ["any", openai("The video is not supported. Model: Seed 1.6")],
  ["any", openai("Unsupported image. Request: {'seed': 5, 'logprobs': true}")],
  ["any", openai("This model does not support reasoning about videos.")],
  ["any", openai("reasoning is not supported for videos")],
  ["any", openai("Missing `reasoning_content` field in the assistant message at message index 1")],
  ["any", openai("Invalid 'seed': integer above maximum value.", { param: "seed" })],
  [
    "any",
    openai("Unsupported value: 'seed' does not support 5.", {
      param: "seed",
      code: "unsupported_value",
    }),
  ],
  ["any", openai("Invalid parameter: seed must be a positive integer", { param: "seed" })],
  ["any", openai("seed 5 is not allowed")],
  ["any", openai("This model does not support seed values above 100")],
  ["any", openai("unknown field `min_p`, expected one of `model`, `seed`, `logprobs`")],
  ["any", { detail: detail(["body", "min_p"], { input: { seed: 5 } }) }],
  [
    "any",
    {
      detail: [{ type: "int_type", loc: ["body", "seed"], msg: "Input should be a valid integer" }],
    },
  ],
  ["any", openai("max_tokens is too large: 99999. This model supports at most 16384.")],
  ["any", openai("Unsupported parameter: 'max_tokens' is not supported with this model.")],
  ["any", openai("temperature must be between 0 and 2", { param: "temperature" })],
  ["any", openai("temperature: only values in [0, 1] are allowed")],
  ["any", openai("Only values of temperature up to 1 are allowed")],
  ["any", undefined],
  ["any", null],
  ["any", ""],
  ["any", 5],
])("no parameter of %s is refused by %j", (model, body) => {
  expect(refusedParameter(body, ALL, model)).toBeNull();
});

test("a long refusal is read in little time", () => {
  const began = performance.now();
  for (const piece of ["[", "a.", "`a`, ", " ", "not supported a "])
    refusedParameter(openai(piece.repeat(1e6)), ALL, "any");
  expect(performance.now() - began).toBeLessThan(2000);
});
