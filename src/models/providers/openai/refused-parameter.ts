import { z } from "zod";
import { jsonOrText } from "../../json.ts";

/*
 * Which optional parameter a compatible server does not take. Servers agree on no form: some name the parameter in a
 * member of the error, others only in a sentence. A message that merely contains its name, such as a complaint about a
 * value, about a message, or about a model called `doubao-seed`, is no refusal.
 */

/** Parameters that a request can do without, or that have another name, with their names in a request. */
const NAMES = {
  logprobs: ["logprobs", "top_logprobs"],
  seed: ["seed"],
  reasoning: ["reasoning_content", "reasoning_details", "reasoning"],
  temperature: ["temperature"],
  max_tokens: ["max_tokens"],
} as const;

export type OptionalParameter = keyof typeof NAMES;

/** Characters of a message that are searched: some servers repeat the request after their complaint. */
const MOST_SEARCHED = 2000;

/**
 * The parameter that a server refuses as unsupported or unknown; null for any other refusal.
 *
 * @param body the reply, as JSON or text
 * @param sent the optional parameters of the request
 * @param model name of the model at the server
 */
export function refusedParameter(
  body: unknown,
  sent: readonly OptionalParameter[],
  model: string,
): OptionalParameter | null {
  const problems = problemsIn(body).map(({ text, ...problem }) => ({
    ...problem,
    text: withoutModel(text.slice(0, MOST_SEARCHED), model),
  }));
  const isRefused = (parameter: OptionalParameter) =>
    problems.some(
      ({ name, code, text }) =>
        (((NAMES[parameter] as readonly string[]).includes(name) && isUnsupported(code, text)) ||
          (WORDS[parameter].test(text) && SENTENCES[parameter].test(text))) &&
        (INSTEAD[parameter]?.test(text) ?? true),
    );
  return sent.find(isRefused) ?? null;
}

/**
 * Whether a server refuses tools because the model reasons, by default or as requested: OpenAI's chat completions for
 * GPT-5.4 and later, also behind a gateway. They accept tools with `reasoning_effort` `none`.
 */
export function refusesEffortWithTools(body: unknown): boolean {
  return problemsIn(body).some(({ text }) => EFFORT_WITH_TOOLS.test(text.slice(0, MOST_SEARCHED)));
}

const EFFORT_WITH_TOOLS = /\btools with ["'`]?reasoning_effort["'`]? (?:is|are) not supported\b/i;

/** One complaint of a server: the parameter that it names (or empty), its code and type, and its message. */
interface Problem {
  name: string;
  code: string;
  text: string;
}

const Word = z.string().catch("");

/** Members of errors: OpenAI (`param`), pydantic, so vLLM and Mistral (`detail`, `loc`), OpenRouter (`metadata.raw`). */
const ErrorMembers = z.object({
  param: Word,
  loc: z.array(z.unknown()).catch([]),
  code: Word,
  type: Word,
  message: z.unknown().optional(),
  msg: z.unknown().optional(),
  error: z.unknown().optional(),
  detail: z.unknown().optional(),
  metadata: z.object({ raw: z.unknown().optional() }).nullish().catch(null),
});

function problemsIn(body: unknown): Problem[] {
  if (typeof body === "string") {
    const read = jsonOrText(body);
    return typeof read === "object" ? problemsIn(read) : [{ name: "", code: "", text: body }];
  }
  if (Array.isArray(body)) return body.flatMap(problemsIn);
  const { data } = ErrorMembers.safeParse(body);
  if (data === undefined) return [];
  const { param, loc, code, type, message, msg, error, detail, metadata } = data;
  // `messages.1.reasoning_content`, `messages[1].reasoning`
  const [name = ""] =
    /\w+$/.exec(param || loc.filter((one) => typeof one === "string").join(".")) ?? [];
  const text = [message, msg].find((one) => typeof one === "string") ?? "";
  const nested = [message, error, detail, metadata?.raw].flatMap(problemsIn);
  return [{ name, code: `${code} ${type}`, text }, ...nested];
}

/** Whether a problem whose parameter is named says that the server does not take it, not that its value is wrong. */
function isUnsupported(code: string, text: string): boolean {
  return (
    !/(unsupported|invalid|unexpected)_value/i.test(code) &&
    !VALUE.test(text) &&
    (/(unsupported|unknown|unrecogni[sz]ed|unexpected)_(param|arg|field|key)|\bextra_forbidden/i.test(
      code,
    ) ||
      UNSUPPORTED.test(text))
  );
}

const UNSUPPORTED =
  /\b(?:unsupported|unknown|unrecogni[sz]ed|unexpected|extra|invalid param(?:eter)?)\b|(?:\bnot|n't) (?:currently |yet )?(?:support|recogni[sz]ed|permitted|allowed|available)/i;

/** What messages about a value say. */
const VALUE =
  /\b(?:must|should|has to|between|range|maximum|minimum|greater|less|at least|at most)\b/i;

/** Removes the name of the model, in full or without its publisher. */
function withoutModel(text: string, model: string): string {
  const names = [model, model.slice(model.lastIndexOf("/") + 1)].map((name) =>
    name.replace(/[^\w-]/g, "\\$&"),
  );
  return text.replaceAll(new RegExp(`(?<![\\w-])(?:${names.join("|")})(?![\\w-])`, "gi"), "it");
}

/** The name under which the server takes a parameter instead, which a refusal has to say. */
const INSTEAD: Partial<Record<OptionalParameter, RegExp>> = {
  max_tokens: /\bmax_completion_tokens\b/,
};

/** What every sentence about a parameter contains: quick to find, or to miss. */
const WORDS: Record<OptionalParameter, RegExp> = {
  logprobs: /log_?probs/i,
  seed: /seed/i,
  reasoning: /reasoning/i,
  temperature: /temperature/i,
  max_tokens: /max_tokens/i,
};

const SENTENCES = {
  logprobs: sentence("(?:top_)?log_?probs"),
  seed: sentence("seed"),
  // The plain word is usual in messages about models: only a quoted name, or the end of a path, is the parameter.
  reasoning: sentence("reasoning_(?:content|details)|(?<=[\"'`.])reasoning"),
  temperature: new RegExp(
    [
      sentence("temperature").source,
      // OpenAI: 'temperature' does not support 0 with this model. Only the default (1) value is supported.
      `\\btemperature['"\`]?\\s+(?:does not|doesn't)\\s+support\\s+[\\d.]+\\s.*\\bonly the default\\b`,
      // Anthropic, also behind Bedrock and LiteLLM: `temperature` is deprecated for this model.
      `\\btemperature['"\`]?\\s+(?:is|has been)\\s+(?:deprecated|removed)\\b`,
      // Anthropic: `temperature` may only be set to 1 when thinking is enabled.
      `\\btemperature['"\`]?\\s+may\\s+only\\s+be\\s+set\\s+to\\s+[\\d.]+`,
      // Moonshot: invalid temperature: only 0.6 is allowed for this model
      `\\btemperature['"\`]?:\\s+only\\s+[\\d.]+\\s+is\\s+allowed\\b`,
    ].join("|"),
    "i",
  ),
  max_tokens: sentence("max_tokens"),
};

/** Matches a sentence that says of a parameter that it is not supported, in the words of known servers. */
function sentence(names: string): RegExp {
  const noun =
    "(?:parameter|argument|param|field|property|propertie|option|key|name|member|input|setting)(?:s|\\(s\\))?";
  const other = "[\"'`\\[({]*\\w+[\"'`\\])}]*";
  // Alone, quoted, or at the end of a path; not a piece of a longer name.
  const name = `["'\`\\[({]*(?:[\\w\\[\\]]+\\.)*(?<![\\w/-])(?:${names})(?![\\w/-]|\\.\\w)["'\`\\])]*`;
  const listed = `(?:${other}(?:,|,? and) )*${name}`;
  const not = "(?:not|n't) (?:currently |yet )?";
  const place = "in (?:the )?(?:request|object|body|input|messages?)(?: body| arguments?)?";
  const value = "(?! values?\\b)";
  const forms = [
    // Unrecognized request argument supplied: seed · unknown field `seed` · Unknown name "seed" · key(s) in object: 'seed'
    `\\b(?:unsupported|unknown|unrecogni[sz]ed|unexpected|extraneous|extra|disallowed) (?:\\w+ )?${noun}(?: supplied| provided)?(?: ${place})?:? ${listed}`,
    `\\binvalid (?:request )?${noun}:? ${name}(?!.*${VALUE.source})`,
    // Argument not supported on this model: seed · Extra inputs are not permitted, field: 'seed'
    `${not}(?:supported|permitted|allowed|recogni[sz]ed)(?: \\w+){0,4}(?:, ${noun})?: ${listed}`,
    // 'seed' is not supported with this model · property 'seed' is unsupported · ('seed' was unexpected)
    // seed: Extra inputs are not permitted · ('body', 'seed'), 'msg': 'Extra inputs are not permitted'
    `${name}(?:(?:,|,? and) ${other})*(?: ${noun})?(?: specified| supplied| provided)?(?: ${place})?(?:,? (?:'msg': ')?|: )(?:(?:is|are|was|were)(?: |(?=n't)))?(?:${not}(?:a )?(?:supported|recogni[sz]ed|allowed|permitted|accepted|available|enabled|valid ${noun})|(?:unsupported|unknown|unrecogni[sz]ed|unexpected)(?! (?:value|type|format))|extra (?:inputs?|fields?) (?:are )?not (?:permitted|allowed))`,
    // This model does not support the parameter `logprobs`
    `\\b(?:do|does|can)(?: not|not|n't) (?:currently |yet )?(?:support|accept|allow|recogni[sz]e|permit) (?:the |a )?(?:${noun}:? )?${listed}${value}`,
    // You are not allowed to request logprobs from this model
    `\\bnot allowed to (?:request|use|set|specify|send) (?:the )?(?:${noun} )?${listed}${value}`,
  ];
  return new RegExp(forms.map((form) => form.replaceAll(" ", "\\s+")).join("|"), "i");
}
