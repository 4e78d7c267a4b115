import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { version } from "../core/version.ts";
import type { OpenSpan, SpanSink, SpanStart } from "./span.ts";

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/**
 * Spans for the tracer provider that the user's program registered with `@opentelemetry/api`; without one they go nowhere.
 * A question asked within a span of the user becomes a child of that span.
 */
export function otelSink(): SpanSink {
  const tracer = trace.getTracer("video-rrd", version());
  const begin = (
    { name, kind, at, attributes }: SpanStart,
    parent: ReturnType<typeof context.active>,
  ) =>
    opened(
      tracer.startSpan(name, { kind: KINDS[kind], startTime: at, attributes }, parent),
      parent,
    );
  const opened = (span: Span, parent: ReturnType<typeof context.active>): OpenSpan => ({
    child: (start) => begin(start, trace.setSpan(parent, span)),
    end: (at, attributes = {}, error) => {
      span.setAttributes(attributes);
      if (error !== undefined) {
        span.setAttribute("error.type", error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(at);
    },
  });
  return { open: (start) => begin(start, context.active()), flush: async () => {} };
}
