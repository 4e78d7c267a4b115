import type { StrategyDefinition } from "../../../graphs/define-strategy.ts";

/*
 * What a published protocol is: facts, each with its source. The tables are in one file per benchmark next to this one.
 */

/** A fact of a paper or its released code. `value` null: looked for, and not stated there. */
export interface Stated<T> {
  value: T | null;
  /** Table, appendix or file: `appendix E.2`, `GaryStack/MMR-V utils/video_utils.py`. */
  source: string;
  /** What a reader has to know of it, as a clause. */
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

/** Everything that a protocol can say of how one question is asked and read. */
export interface Wants {
  /** The video file as a whole, or a list of its frames. */
  media: Stated<"video" | "frames">;
  sampler: Stated<"ends" | "midpoints" | "fps" | "fps-else-N">;
  /** Frames of a video: exactly as many for `ends` and `midpoints`, at most as many for `fps-else-N`. */
  frames: Stated<number>;
  /** Frames per second, for `fps` and `fps-else-N`. */
  fps: Stated<number>;
  /** How the frame numbers are computed; the note of a value says where ours may be another. */
  indices: Stated<string>;
  /** Largest area of a frame in pixels, or `as found`. */
  pixel_cap: Stated<number | "as found">;
  /** JPEG quality of the images that were sent, or that they were never compressed. */
  encoding: Stated<number | "not compressed">;
  order: Stated<"text first" | "media first">;
  /** Text in front of each frame. */
  labels: Stated<string>;
  /** Text of a system message; `none` for none. */
  system: Stated<string>;
  /** Subtitle modes that the paper has results for. */
  subtitles: Stated<readonly string[]>;
  audio: Stated<boolean>;
  temperature: Stated<number>;
  /** New tokens that a reply may have. */
  max_tokens: Stated<number>;
}

/** A model of the paper's tables. */
export interface ProtocolModel {
  /** As the paper's table prints it. */
  name: string;
  /** Known spellings as `normalName` writes them; matched exactly. */
  spellings: readonly string[];
  /** Exact version of an API model, or the repository of the weights, where the paper says. */
  version?: Stated<string>;
  /** Overrides what holds for all models of the benchmark. */
  wants: Partial<Wants>;
  /** Where paper and code, or two places of the paper, disagree: one sentence each. */
  conflicts?: readonly string[];
}

/** How the authors of a benchmark measured, as they state it. */
export interface PublishedProtocol {
  source: string;
  /** What the paper measured: how its answers come about, and what they are shown of the video. */
  measured: readonly Pick<StrategyDefinition, "approach" | "shows">[];
  /** Questions that the paper counts over; null: not stated. */
  questions: number | null;
  /** SHA-256 of the released data files, by subset, in the order of their names; absent where not known. */
  data: Readonly<Record<string, { files: readonly string[]; source: string }>>;
  /** What a reader of any result has to know of the benchmark, a sentence each. */
  cautions: readonly string[];
  /** What holds for all models. */
  common: Wants;
  /** In place of `common` and a model's own where the reasoning is asked for. */
  cot: Partial<Wants>;
  /** How the letter or order is read; `model` names the model that an extractor calls; null: not stated. */
  extractor: (cot: boolean) => { name: string; model: string | null; source: string } | null;
  models: readonly ProtocolModel[];
}

/** The protocol of a benchmark of which no published one is known: nothing is stated, so no run is comparable. */
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
