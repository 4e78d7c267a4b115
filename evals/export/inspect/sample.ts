import type { Option } from "../../../src/core/shapes.ts";
import { letterAt } from "../../benchmarks/options.ts";
import type { RunLine } from "../../run/run-line.ts";
import type { Transcript } from "../../run/transcript.ts";
import { stopReason } from "./events.ts";
import { errorOf, type LogResult, limitMet } from "./log-result.ts";
import type {
  ChatMessage,
  EvalSample,
  EvalSampleSummary,
  ModelOutput,
  ModelUsage,
  Score,
} from "./log-schema.ts";
import { asReply, idOf, textOf } from "./messages.ts";
import { eventsOf } from "./sample-events.ts";
import { logId } from "./sample-id.ts";
import { modelName, sumUsage, toModelUsage } from "./usage.ts";

/** Makes the sample of a log. */
export function toEvalSample(result: LogResult): EvalSample {
  const { said, transcript, messages } = result;
  const { sample, line } = said;
  const head = headOf(result);
  const reason = transcript === null ? null : reasoningCall(transcript);
  const error = line?.error === undefined ? undefined : errorOf(line.error);
  const limit = limitMet(result);
  return {
    ...head,
    messages: reason === null ? [] : conversation(reason, messages.messages),
    output: outputOf(result, reason),
    store: {},
    events: eventsOf(result, head),
    ...(messages.messages.length === 0
      ? {}
      : { events_data: { messages: messages.messages, calls: [] } }),
    ...(error === undefined ? {} : { error }),
    ...(limit === null || limit.limit === null
      ? {}
      : { limit: { type: limit.type, limit: limit.limit } }),
    attachments: messages.attachments,
    metadata: {
      ...head.metadata,
      ...(sample.goal === undefined ? {} : { goal: sample.goal }),
      ...(sample.evidence_s === undefined ? {} : { evidence_s: sample.evidence_s }),
      ...(line === null ? {} : factsOf(line)),
      ...(said.shift ? { option_shift: said.shift } : {}),
      messages: messagesNote(result),
    },
  };
}

/** The summary of a sample, which the list of samples shows. */
export function toSummary(result: LogResult, full: EvalSample): EvalSampleSummary {
  return {
    ...headOf(result),
    ...(full.error === undefined ? {} : { error: full.error.message }),
    ...(full.limit === undefined ? {} : { limit: full.limit.type }),
    completed: true,
    message_count: full.messages.length,
  };
}

/** Inspect letters choices by their places. Options with other letters have theirs in the text. */
function choicesOf(options: readonly Option[]): string[] {
  const areUsual = options.every(({ letter }, place) => letter === letterAt(place));
  return options.map(({ letter, text }) => (areUsual ? text : `(${letter}) ${text}`));
}

/** What a sample and its summary have in common. */
function headOf(result: LogResult) {
  const { said, scored, groups, transcript, seed } = result;
  const { sample, epoch, line } = said;
  const id = logId(sample.id);
  const unscored = [...scored].filter(([, { score }]) => score.value === null);
  const times = line === null ? null : timesOf(line);
  return {
    id,
    epoch,
    input: sample.question,
    ...(sample.options.length === 0 ? {} : { choices: choicesOf(sample.options) }),
    target: targetOf(result),
    metadata: {
      ...(id === sample.id ? {} : { sample_id: sample.id }),
      ...{ video: sample.video, task: sample.task, groups },
      ...(line === null ? {} : { status: line.status, cited: line.cites.length }),
      ...(unscored.length === 0
        ? {}
        : {
            unscored: Object.fromEntries(
              unscored.map(([name, { score }]) => [name, score.explanation]),
            ),
          }),
    },
    scores: scoresOf(result),
    ...usageOf(line, transcript),
    ...(times ?? {}),
    uuid: idOf(seed, "sample"),
  };
}

function targetOf({ said: { sample } }: LogResult): string | string[] {
  const answer = [sample.answer].flat().join(", ");
  return sample.accepts === undefined ? answer : [answer, ...sample.accepts];
}

/** A reply that could not be scored has no score: Inspect counts it as unscored. */
function scoresOf({ scored, said: { line } }: LogResult): Record<string, Score> {
  return Object.fromEntries(
    [...scored].flatMap(([name, { score }]): [string, Score][] => {
      const { value, answer, explanation } = score;
      if (value === null) return [];
      const support = line?.diagnostics.support;
      return [
        [
          name,
          {
            value,
            ...(answer === null ? {} : { answer: [answer].flat().join(", ") }),
            explanation: explained(explanation, line),
            ...(typeof support === "string" ? { metadata: { support } } : {}),
            history: [],
          },
        ],
      ];
    }),
  );
}

/** How the score came about, and the cited evidence. */
function explained(explanation: string, line: RunLine | null): string {
  const texts = new Map(line?.evidence.map(({ id, text }) => [id, text]));
  const cited = (line?.trail?.cited ?? line?.evidence ?? []).map(({ id, kind, start_s, end_s }) => {
    const text = texts.get(id);
    return `- ${kind}, ${start_s} to ${end_s} s${text === undefined ? "" : `: ${text}`}`;
  });
  return cited.length === 0 ? explanation : [explanation, "", "Cited:", ...cited].join("\n");
}

/** Without a transcript, the cached and reasoning tokens of a sample with several models cannot be assigned to them. */
function usageOf(line: RunLine | null, transcript: Transcript | null) {
  const calls: { model: string; role: string; usage: ModelUsage }[] =
    transcript === null
      ? (line?.calls ?? []).map(({ model, role, input, output }) => ({
          ...{ model, role },
          usage: toModelUsage({ input, output, cost: null }),
        }))
      : transcript.events.flatMap((event) =>
          event.type === "call"
            ? [{ model: event.model, role: event.role, usage: toModelUsage(event.usage) }]
            : [],
        );
  const all = line === null ? null : toModelUsage(line.usage);
  const by = (name: (call: (typeof calls)[number]) => string) => {
    const sums = sumUsage(calls.map((call) => [name(call), call.usage]));
    const [only, second] = Object.keys(sums);
    return all !== null && only !== undefined && second === undefined ? { [only]: all } : sums;
  };
  return {
    model_usage: by(({ model }) => modelName(model)),
    role_usage: by(({ role }) => role),
  };
}

function timesOf({ started_at, seconds, time }: RunLine) {
  return {
    started_at,
    completed_at: new Date(Date.parse(started_at) + seconds * 1000).toISOString(),
    total_time: seconds,
    ...(time === undefined ? {} : { working_time: time.model_s + time.own_s }),
  };
}

/** The evidence and the facts of a result that Inspect has no member for. */
function factsOf(line: RunLine): EvalSample["metadata"] {
  const { attempt, reply_by, cited_by, confidence, confidence_basis, question, set } = line;
  return JSON.parse(
    JSON.stringify({
      ...{ attempt, reply_by, cited_by, confidence, confidence_basis, question, set },
      cites: line.cites,
      evidence: line.evidence,
      trail: line.trail,
      frames_s: line.frames_s,
      limits_met: line.limits_met,
      usage: line.usage,
      time: line.time,
      diagnostics: line.diagnostics,
    }),
  );
}

function messagesNote({ said: { line }, transcript }: LogResult): string {
  if (transcript !== null) return "kept";
  return line?.transcript === undefined
    ? "not kept (eval --keep-requests keeps them)"
    : "kept, but no longer in the store";
}

type ReasoningCall = NonNullable<ReturnType<typeof reasoningCall>>;

/** The last call of the reasoner with a reply, else the last call with one. */
function reasoningCall({ calls, events }: Transcript) {
  const byKey = new Map(calls.map((call) => [call.key, call]));
  const replied = events.flatMap((event) => {
    const call = event.type === "call" ? byKey.get(event.key) : undefined;
    return event.type === "call" && call?.output != null ? [{ event, call }] : [];
  });
  return replied.findLast(({ event }) => event.role === "reasoner") ?? replied.at(-1) ?? null;
}

function conversation({ call, event }: ReasoningCall, messages: readonly ChatMessage[]) {
  const reply =
    call.output === null
      ? null
      : asReply(messages[call.output], call.reasoning, modelName(event.model));
  return [
    ...call.input.flatMap((place) => messages[place] ?? []),
    ...(reply === null ? [] : [reply]),
  ];
}

/** The reply that was scored, which is not always the last one of a model. */
function outputOf({ said, messages, seed }: LogResult, reason: ReasoningCall | null): ModelOutput {
  const model = modelName(reason?.event.model ?? said.line?.calls.at(-1)?.model ?? "none/none");
  const reply =
    reason?.call.output == null
      ? null
      : asReply(messages.messages[reason.call.output], reason.call.reasoning, model);
  const text = said.reply ?? said.line?.reply ?? null;
  const isLast = reply !== null && (text === null || textOf(reply) === text);
  if (text === null && reply === null)
    return {
      model,
      choices: [],
      completion: "",
      ...(said.line?.error === undefined ? {} : { error: said.line.error.message }),
    };
  const message = isLast
    ? reply
    : { id: idOf(seed, "output"), content: text ?? "", role: "assistant" as const, model };
  return {
    model,
    choices: [{ message, stop_reason: stopReason(isLast ? (reason?.event.finish ?? "") : "stop") }],
    completion: text ?? textOf(message),
    ...(isLast && reason !== null ? { usage: toModelUsage(reason.event.usage) } : {}),
  };
}
