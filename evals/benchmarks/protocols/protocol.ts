import type { StrategyDefinition } from "../../../graphs/define-strategy.ts";

/* The shape of a published protocol: facts, each with its source. The values are in `protocol.ts` of each benchmark. */

/** A fact of a paper or its released code. `value` null: searched for, and not stated there. */
export interface Stated<T> {
  value: T | null;
  /** Table, appendix or file: `appendix E.2`, `GaryStack/MMR-V utils/video_utils.py`. */
  source: string;
  /** What a reader has to know about it, as a clause. */
  note?: string;
}

export const stated = <T>(value: T, source: string, note?: string): Stated<T> => ({
  value,
  source,
  ...(note === undefined ? {} : { note }),
});

export const notStated = (source: string, note?: string): Stated<never> => ({
  value: null,
  source,
  ...(note === undefined ? {} : { note }),
});

/** Everything that a protocol can state about how a question is asked and its reply is read. */
export interface Wants {
  /** The video file as a whole, or a list of its frames. */
  media: Stated<"video" | "frames">;
  sampler: Stated<"ends" | "midpoints" | "fps" | "fps-else-N">;
  /** Frames of a video: exactly as many for `ends` and `midpoints`, at most as many for `fps-else-N`. */
  frames: Stated<number>;
  /** Frames per second, for `fps` and `fps-else-N`. */
  fps: Stated<number>;
  /** How the frame numbers are computed; the note of a value states where ours may differ. */
  indices: Stated<string>;
  /** Largest area of a frame in pixels, or `as found`. */
  pixel_cap: Stated<number | "as found">;
  /** JPEG quality of the images that were sent, or that they were never compressed. */
  encoding: Stated<number | "not compressed">;
  order: Stated<"text first" | "media first">;
  /** Text in front of each frame. */
  labels: Stated<string>;
  /** Text of a system message; `none` if none is sent. */
  system: Stated<string>;
  /** Subtitle modes that the paper has results for. */
  subtitles: Stated<readonly string[]>;
  /**
   * Number of even frames of a video (`ends`) by which `aligned` subtitles are chosen. Absent: by those that are sent.
   */
  subtitle_frames?: Stated<number>;
  audio: Stated<boolean>;
  temperature: Stated<number>;
  /** From 0 to 1; without effect at temperature 0. Absent: not stated. */
  top_p?: Stated<number>;
  /** Number of tokens; without effect at temperature 0. Absent: not stated. */
  top_k?: Stated<number>;
  /** New tokens that a reply may have. */
  max_tokens: Stated<number>;
}

/** A model of the paper's tables. */
export interface ProtocolModel {
  /** As the paper's table prints it. */
  name: string;
  /** Known spellings as `modelName` writes them; matched exactly. */
  spellings: readonly string[];
  /** Exact version of an API model, or the repository of the weights, if the paper states it. */
  version?: Stated<string>;
  /** Those of the spellings that name exactly this version, though `version` is written in another way. */
  aliases?: readonly string[];
  /** Why it is not known which model was measured, as a clause; no name is then certified. */
  unidentified?: string;
  /** Overrides `common` of the benchmark. */
  wants: Partial<Wants>;
  /** Where paper and code, or two places of the paper, disagree: one sentence each. */
  conflicts?: readonly string[];
}

/** How the authors read the letter or order of a reply. */
export interface PublishedExtractor {
  /** Of an extractor of the benchmark. With `--protocol official` it reads the replies, unless it calls a model. */
  name: string;
  /** The model that it calls; null: none. */
  model: string | null;
  source: string;
  /** If the released scripts read replies in different ways: what each does, by the extractor, as a noun phrase. */
  reads?: Readonly<Record<string, string>>;
  /** Why it is not known which of `reads` was used for the model, as a clause; none of them is then certified. */
  unidentified?: string;
  /** How that model is called. */
  decoding?: {
    temperature: number;
    top_p?: number;
    top_k?: number;
    max_tokens: number;
    thinking: boolean;
    source: string;
  };
}

/** How the authors of a benchmark measured, as they state it. */
export interface PublishedProtocol {
  source: string;
  /** The kinds of strategy that the paper measured. */
  measured: readonly Pick<StrategyDefinition, "approach" | "shows">[];
  /** Number of questions in the paper's results; null: not stated. */
  questions: number | null;
  /** SHA-256 of the released data files, by subset, in the order of their names; absent if unknown. */
  data: Readonly<Record<string, { files: readonly string[]; source: string }>>;
  /** What a reader of any result has to know about the benchmark, one sentence each. */
  cautions: readonly string[];
  /** Requirements for all models. */
  common: Wants;
  /** Overrides `common` and a model's own values if reasoning is requested; null: not measured with reasoning. */
  cot: Partial<Wants> | null;
  /** Settings, by path, with which a strategy works as the released code does; those that it does not read are left out. */
  settings?: Readonly<Record<string, unknown>>;
  /** How the letter or order is read; null: not stated. `model` is the name in the table; null: not in the table. */
  extractor: (cot: boolean, model: string | null) => PublishedExtractor | null;
  models: readonly ProtocolModel[];
}

/** The protocol of a benchmark without a known published one: nothing is stated, so no run is comparable. */
export function unpublished(title: string): PublishedProtocol {
  const source = `${title}: no published protocol`;
  const nothing = notStated(source);
  return {
    source,
    measured: [],
    questions: null,
    data: {},
    cautions: [],
    common: {
      ...{ media: nothing, sampler: nothing, frames: nothing, fps: nothing, indices: nothing },
      ...{ pixel_cap: nothing, encoding: nothing, order: nothing, labels: nothing },
      ...{ system: nothing, subtitles: nothing, audio: nothing },
      ...{ temperature: nothing, max_tokens: nothing },
    },
    cot: {},
    extractor: () => null,
    models: [],
  };
}

/** Whether nothing is known of how others measured, so that no run can be compared with it. */
export function isUnpublished({ measured, models }: PublishedProtocol): boolean {
  return measured.length === 0 && models.length === 0;
}
