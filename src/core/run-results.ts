/** Header of a run: settings, versions, hashes of prompts and data, status. */
export interface RunHeader {
  run: string;
  format: number;
  status: "running" | "finished" | "stopped" | "failed";
  created_at: string;
  [fact: string]: unknown;
}

/** One result of a run: the answer to one sample in one epoch. */
export interface RunSample {
  sample: string;
  epoch: number;
  [fact: string]: unknown;
}

/** Header and results of a run, append-only. */
export interface RunResults {
  /** Throws `Failure` `not-found`, `data-malformed`. */
  readHeader(): Promise<RunHeader>;
  writeHeader(header: RunHeader): Promise<void>;
  /** Valid lines by (sample, epoch), the last of each; `damaged` counts the others. A half-written last line is no error. */
  read<T extends RunSample = RunSample>(
    /** The members of a line that are needed, in addition to its sample and epoch; the others take memory. Default: all. */
    members?: readonly string[],
    /** What stays in memory of each line. Default: the line. */
    keep?: (line: RunSample) => T,
  ): Promise<{ samples: T[]; damaged: number }>;
  /**
   * Returns `kept` if a result of (sample, epoch) without an error exists already, or if the run was removed; an error is
   * replaced.
   */
  append(
    sample: RunSample & { error?: unknown },
    /** The members that are read most often: reading only these may take less time. Default: none. */
    first?: readonly string[],
  ): Promise<"written" | "kept">;
}
