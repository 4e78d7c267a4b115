import { randomBytes } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { toFailure } from "../core/errors.ts";
import { version } from "../core/version.ts";
import type { Attributes, OpenSpan, SpanSink, SpanStart } from "./span.ts";

/** Numbers of OTLP. */
const KINDS = { internal: 1, client: 3 };
const ERROR = 2;

/**
 * Spans as lines of OTLP JSON, as the file exporter of OpenTelemetry's collector writes them: each line is a complete
 * `ExportTraceServiceRequest`. A span is written when it ends, so that a killed process leaves what it did. A disk that
 * fills up later costs spans and a warning, never an answer. Throws `Failure` if the file cannot be opened.
 */
export async function traceFile(path: string): Promise<SpanSink> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await appendFile(path, "");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing the trace to ${path}`);
  }
  let tail: Promise<void> = Promise.resolve();
  let isWarned = false;
  const write = (span: Record<string, unknown>) => {
    const line = `${JSON.stringify(requestOf(span))}\n`;
    tail = tail
      .then(() => appendFile(path, line))
      .catch((error: unknown) => {
        if (isWarned) return;
        isWarned = true;
        process.emitWarning(`Cannot write the trace to ${path}: ${error}`);
      });
  };
  const begin = (start: SpanStart, traceId: string, parentSpanId: string): OpenSpan => {
    const spanId = randomBytes(8).toString("hex");
    return {
      child: (inner) => begin(inner, traceId, spanId),
      end: (at, attributes = {}, error) =>
        write({
          ...{ traceId, spanId, ...(parentSpanId === "" ? {} : { parentSpanId }) },
          ...{ name: start.name, kind: KINDS[start.kind] },
          ...{ startTimeUnixNano: nanoseconds(start.at), endTimeUnixNano: nanoseconds(at) },
          attributes: toOtlp({
            ...start.attributes,
            ...attributes,
            ...(error === undefined ? {} : { "error.type": error }),
          }),
          status: error === undefined ? {} : { code: ERROR },
        }),
    };
  };
  return {
    open: (start) => begin(start, randomBytes(16).toString("hex"), ""),
    flush: () => tail,
  };
}

function requestOf(span: Record<string, unknown>) {
  const scope = { name: "video-rrd", version: version() };
  const resource = {
    attributes: toOtlp({ "service.name": "video-rrd", "service.version": version() }),
  };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] };
}

function nanoseconds(at: number): string {
  return String(BigInt(Math.round(at * 1000)) * 1000n);
}

function toOtlp(attributes: Attributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: Attributes[string]): Record<string, unknown> {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
