/** Values of attributes, as OpenTelemetry allows them. */
export type Attributes = Record<string, string | number | boolean | string[]>;

/** A span as it begins. */
export interface SpanStart {
  name: string;
  /** `client` for a request to a server, else `internal`. */
  kind: "internal" | "client";
  /** Milliseconds since 1970. */
  at: number;
  attributes: Attributes;
}

/** A span that has begun. */
export interface OpenSpan {
  /** Begins a span within this one. */
  child(start: SpanStart): OpenSpan;
  /** Ends it; `error` is the kind of a failure. `at`: milliseconds since 1970. */
  end(at: number, attributes?: Attributes, error?: string): void;
}

/** Where spans go: the tracer of the user's program, or a file. */
export interface SpanSink {
  open(start: SpanStart): OpenSpan;
  /** Waits until all spans that ended are written, or are known to be lost. */
  flush(): Promise<void>;
}

/** Sends each span to several places. */
export function bothSinks(sinks: readonly SpanSink[]): SpanSink {
  const join = (spans: OpenSpan[]): OpenSpan => ({
    child: (start) => join(spans.map((span) => span.child(start))),
    end: (at, attributes, error) => {
      for (const span of spans) span.end(at, attributes, error);
    },
  });
  return {
    open: (start) => join(sinks.map((sink) => sink.open(start))),
    flush: async () => {
      await Promise.all(sinks.map((sink) => sink.flush()));
    },
  };
}
