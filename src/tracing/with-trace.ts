import { Failure } from "../core/errors.ts";
import type { EventBody } from "../core/events.ts";
import type { Question } from "../core/shapes.ts";
import { withPrivateTraces } from "./private-langsmith.ts";
import { bothSinks, type SpanSink } from "./span.ts";
import { traceQuestion } from "./trace-question.ts";

/** The settings of a trace. */
export interface TraceSettings {
  /** Names the trace: the strategy, or the judge. */
  strategy: string;
  runtime: { trace_file: string | null; trace_content: boolean };
}

/** Takes each event of a traced question; `at` is milliseconds since 1970. */
export type TraceEvent = (event: { stage: string; at: number } & EventBody) => void;

/**
 * Answers a question, or judges a reply to it, within a trace: spans go to the tracer that the program registered and to the file of the settings;
 * what LangChain sends to LangSmith has no content unless the settings allow it. Throws what `work` throws, and
 * `Failure` if the file cannot be opened, before anything is asked.
 */
export async function withTrace<T>(
  question: Question,
  { strategy, runtime }: TraceSettings,
  work: (event: TraceEvent) => Promise<T>,
): Promise<T> {
  const sink = await openSink(runtime.trace_file);
  const content = runtime.trace_content;
  const trace = traceQuestion(sink, { question, strategy, content, at: Date.now() });
  try {
    const done = await withPrivateTraces(
      () => work((event) => trace.event(event.stage, event.at, event)),
      { content },
    );
    trace.end(Date.now());
    return done;
  } catch (error) {
    trace.end(Date.now(), error instanceof Failure ? error.kind : "error");
    throw error;
  } finally {
    await sink.flush();
  }
}

let otel: Promise<typeof import("./otel-sink.ts")> | undefined;

/** Loaded only here, so that commands that ask nothing load neither. */
async function openSink(file: string | null): Promise<SpanSink> {
  otel ??= import("./otel-sink.ts");
  const { otelSink } = await otel;
  if (file === null) return otelSink();
  const { traceFile } = await import("./trace-file.ts");
  return bothSinks([otelSink(), await traceFile(file)]);
}
