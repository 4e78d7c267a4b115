/** What the hours of a run are estimated from. */
export interface HoursBasis {
  /** Seconds that a model takes for a call. */
  call_s: number;
  /** Seconds of one core for one result: frames, text, speech, and the program itself. */
  own_s: number;
  /** `assumed`: nobody measured it. */
  from: { call_s: Origin; own_s: Origin };
  /** Calls in flight, and cores, of each worker. */
  connections: number;
  cores: number;
  /** Limits of the model's provider for all workers together; null: none is known. */
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
}

/** Where a number comes from: an earlier run, a flag, or an assumption. */
export type Origin = "measured" | "given" | "assumed";

/** What limits the speed of a run. */
export type Bottleneck =
  | "model time"
  | "own CPU time"
  | "requests per minute"
  | "tokens per minute";

/** Hours by the number of worker processes, each on a machine of its own. */
export interface HoursPlan {
  basis: HoursBasis;
  by_workers: { workers: number; hours: number; limited_by: Bottleneck }[];
}

export const WORKERS = [1, 4, 16, 100] as const;

/** The least hours of so much work: the longest of what happens at the same time. */
export function estimateHours(
  work: { results: number; calls: number; input_tokens: number },
  basis: HoursBasis,
): HoursPlan {
  const { call_s, own_s, connections, cores, requests_per_minute, tokens_per_minute } = basis;
  const of = (workers: number) => {
    const hours: [Bottleneck, number][] = [
      // No more calls are in flight than there are.
      [
        "model time",
        (work.calls * call_s) / Math.max(1, Math.min(connections * workers, work.calls)) / 3600,
      ],
      [
        "own CPU time",
        (work.results * own_s) / Math.max(1, Math.min(cores * workers, work.results)) / 3600,
      ],
      ["requests per minute", perMinute(work.calls, requests_per_minute)],
      ["tokens per minute", perMinute(work.input_tokens, tokens_per_minute)],
    ];
    const [limited_by, longest] = hours.reduce((a, b) => (b[1] > a[1] ? b : a));
    return { workers, hours: longest, limited_by };
  };
  return { basis, by_workers: WORKERS.map(of) };
}

function perMinute(amount: number, limit: number | null): number {
  return limit === null ? 0 : amount / limit / 60;
}
