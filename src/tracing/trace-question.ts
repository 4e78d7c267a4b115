import type { CallRecord, EventBody, Role } from "../core/events.ts";
import type { Answer, Question } from "../core/shapes.ts";
import type { Attributes, OpenSpan, SpanSink } from "./span.ts";

/** What a trace of one question, or of the judgement of a reply to it, is about. */
export interface TracedQuestion {
  question: Question;
  /** The strategy, or the judge. */
  strategy: string;
  /** Whether texts of questions and replies are in the trace. */
  content: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** The spans of a question, as a fold over its events. */
export interface QuestionTrace {
  event(stage: string, at: number, body: EventBody): void;
  /** Ends all open spans; `error` is the kind of the failure that ended the question. */
  end(at: number, error?: string): void;
}

/** The names of OpenTelemetry's conventions for generative AI; a role without one is named by itself. */
const OPERATIONS: Partial<Record<Role, string>> = { embedder: "embeddings" };

/**
 * Opens the trace of a question: a span for the question, one within it for each stage, and within the stages one for each
 * model call and tool. Names and attributes follow OpenTelemetry's conventions for generative AI. The tokens of the calls
 * sum to the usage of the answer; attributes that are only ours begin with `video_rrd.`.
 */
export function traceQuestion(sink: SpanSink, traced: TracedQuestion): QuestionTrace {
  const { question, strategy, content, at: began } = traced;
  const root = sink.open({
    name: `invoke_agent ${strategy}`,
    kind: "internal",
    at: began,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": strategy,
      "video_rrd.question": question.id,
      "video_rrd.video": question.video,
      "video_rrd.task": question.task,
      ...(content ? { "video_rrd.question.text": question.text } : {}),
    },
  });
  /** Open stages by name; a stage can be open several times. */
  const stages = new Map<string, OpenSpan[]>();
  let answer: Answer | undefined;
  const within = (stage: string) => stages.get(stage)?.at(-1) ?? root;

  function event(stage: string, at: number, body: EventBody): void {
    switch (body.type) {
      case "stage":
        if (body.state === "start") openStage(stage, at);
        else stages.get(stage)?.pop()?.end(at);
        break;
      case "call": {
        const { call } = body;
        within(stage)
          .child({
            name: `${operationOf(call.role)} ${modelName(call.model)}`,
            kind: "client",
            at: at - call.seconds * 1000,
            attributes: callAttributes(call, content),
          })
          .end(at, {}, call.error?.kind);
        break;
      }
      case "tool":
        within(stage)
          .child({
            name: `execute_tool ${body.name}`,
            kind: "internal",
            at: at - body.seconds * 1000,
            attributes: {
              "gen_ai.operation.name": "execute_tool",
              "gen_ai.tool.name": body.name,
              "gen_ai.tool.type": "function",
            },
          })
          .end(at, {}, body.error);
        break;
      case "answer":
        answer = body.answer;
        break;
    }
  }

  function openStage(stage: string, at: number): void {
    const attributes = { "video_rrd.stage": stage };
    const span = root.child({ name: `stage ${stage}`, kind: "internal", at, attributes });
    stages.set(stage, [...(stages.get(stage) ?? []), span]);
  }

  return {
    event,
    end(at, error) {
      for (const open of stages.values())
        for (const span of open.splice(0)) span.end(at, {}, error);
      root.end(
        at,
        answer === undefined ? {} : answerAttributes(answer, content),
        error ?? answer?.error?.kind,
      );
    },
  };
}

function callAttributes(call: CallRecord, content: boolean): Attributes {
  const { usage, model, role, finish, cached, frames, pictures, retried, text } = call;
  const [provider = ""] = model.split(":");
  return {
    "gen_ai.operation.name": operationOf(role),
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": modelName(model),
    "gen_ai.response.finish_reasons": [finish],
    "gen_ai.usage.input_tokens": usage.input,
    "gen_ai.usage.output_tokens": usage.output,
    "video_rrd.role": role,
    "video_rrd.cached": cached,
    "video_rrd.pictures": pictures ?? frames.length,
    ...(usage.cost === null ? {} : { "video_rrd.cost_usd": usage.cost }),
    ...(retried === undefined ? {} : { "video_rrd.retried_requests": retried.requests }),
    ...(content ? { "gen_ai.output.messages": outputOf(text, finish) } : {}),
  };
}

function outputOf(text: string, finish: string): string {
  const parts = [{ type: "text", content: text }];
  return JSON.stringify([{ role: "assistant", parts, finish_reason: finish }]);
}

function answerAttributes({ status, usage, answer }: Answer, content: boolean): Attributes {
  return {
    "video_rrd.status": status,
    "video_rrd.usage.calls": usage.calls,
    "video_rrd.usage.input_tokens": usage.input,
    "video_rrd.usage.output_tokens": usage.output,
    ...(usage.cost === null ? {} : { "video_rrd.usage.cost_usd": usage.cost }),
    ...(content && answer !== null ? { "video_rrd.answer": String(answer) } : {}),
  };
}

function operationOf(role: Role): string {
  return OPERATIONS[role] ?? (role === "transcriber" ? "transcribe" : "chat");
}

/** The name of a model without its provider. */
function modelName(model: string): string {
  return model.slice(model.indexOf(":") + 1);
}
