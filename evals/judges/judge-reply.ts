import { join } from "node:path";
import { wholeVideoSpec } from "../../graphs/stages/frames.ts";
import type { Prompts } from "../../prompts/load-prompts.ts";
import type { Store } from "../../src/core/contracts.ts";
import { endsRun, Failure, isFailure, oneLine } from "../../src/core/errors.ts";
import type { Emit } from "../../src/core/events.ts";
import { hashOf } from "../../src/core/hash.ts";
import { createLedger } from "../../src/core/ledger.ts";
import type { Settings } from "../../src/core/settings.ts";
import { addUsage, NO_USAGE, type Question } from "../../src/core/shapes.ts";
import type { SpendingCap } from "../../src/core/spending-cap.ts";
import { mediaFile } from "../../src/media/probe.ts";
import type { Models, Part } from "../../src/models/chat.ts";
import { type CallBatches, createModels, type ModelsOptions } from "../../src/models/models.ts";
import { withTrace } from "../../src/tracing/with-trace.ts";
import { checkFrames } from "../../tools/video/check-frames.ts";
import { sampleFrames } from "../../tools/video/frames.ts";
import { openVideo } from "../../tools/video/video.ts";
import { askJudge } from "./ask-judge.ts";
import type { Judge, Subject } from "./judge.ts";
import type { JudgementLine } from "./judging.ts";
import { replyKey } from "./reply-key.ts";

export interface ReplyWork {
  judge: Judge<unknown>;
  prompts: Prompts;
  settings: Settings;
  store: Store;
  /** Id of the judging: who pays. */
  run: string;
  /** Folder of the videos; null if unknown. */
  videos: string | null;
  /** Send no frames. */
  text_only: boolean;
  /** Of the steps, by reply, for a judge that is shown them; null where the steps could not be graded. */
  critiques?: ReadonlyMap<string, string | null>;
  signal?: AbortSignal;
  /** What the judging may pay in all. */
  cap?: SpendingCap;
  createModels?: (options: ModelsOptions) => Models;
  /** Sends the calls in batches. */
  batches?: CallBatches;
}

/**
 * Judges one reply, all its parts at once. A failure of only this reply becomes a line with an `error`; a `Failure` that
 * ends the run is thrown.
 */
export async function judgeReply(
  subject: Subject,
  judgeRun: number,
  attempt: number,
  work: ReplyWork,
): Promise<JudgementLine> {
  const began = { at: new Date().toISOString(), ms: performance.now() };
  const spent = { usage: NO_USAGE, calls: [] as string[] };
  const traced = { strategy: `judge ${work.judge.kind}`, runtime: work.settings.runtime };
  const said = await withTrace(questionOf(subject), traced, (trace) =>
    judged(subject, judgeRun, attempt, work, (stage, body) => {
      trace({ stage, at: Date.now(), ...body });
      if (body.type !== "call") return;
      spent.usage = addUsage(spent.usage, body.call.usage);
      spent.calls.push(body.call.key);
    }),
  ).catch((error: unknown) => {
    if (work.signal?.aborted || endsRun(error)) throw error;
    const { kind, message } = isFailure(error)
      ? error
      : { kind: "unexpected", message: `Internal error: ${oneLine(String(error))}` };
    return { parts: [], frames: 0, error: { kind, message } };
  });
  return {
    sample: replyKey(subject),
    epoch: judgeRun,
    of: { sample: subject.sample.id, epoch: subject.epoch },
    attempt,
    ...said,
    ...spent,
    started_at: began.at,
    seconds: Math.round(performance.now() - began.ms) / 1000,
  };
}

/** The sample as its trace names it. */
function questionOf({ sample }: Subject): Question {
  const { id, video, question, task } = sample;
  return { id, video: hashOf(["video", video]), text: question, task };
}

async function judged(
  reply: Subject,
  judgeRun: number,
  attempt: number,
  work: ReplyWork,
  emit: Emit,
): Promise<Pick<JudgementLine, "parts" | "frames">> {
  const subject = withCritique(reply, work);
  if (subject === null) return { parts: [NO_CRITIQUE], frames: 0 };
  const { judge, prompts, settings, store, signal, cap } = work;
  const make = work.createModels ?? createModels;
  // An attempt after an error has a run of its own in the memo, because the judging's run has stored the error.
  const run = attempt === 0 ? work.run : `${work.run} again ${attempt}`;
  const { media, video } = await framesFor(subject, { ...work, run });
  const ledger = createLedger(settings.budget);
  const models = make({ store, settings, emit, ledger, run, signal, cap, batches: work.batches });
  const asked = judge.ask(subject, prompts);
  const parts = await Promise.allSettled(
    asked.map((prompt, part) =>
      askJudge(
        {
          prompt,
          media,
          label: asked.length > 1 ? `${subject.sample.id}, piece ${part + 1}` : subject.sample.id,
          read: (reply) => judge.read(reply, subject),
          needsWholeReply: judge.needsWholeReply,
        },
        { models, prompts, settings, video, epoch: judgeRun - 1 },
      ),
    ),
  );
  return {
    parts: parts.map((part) => {
      if (part.status === "rejected") throw part.reason;
      return part.value;
    }),
    frames: media.length,
  };
}

const NO_CRITIQUE = {
  value: null,
  why: "the steps of this reply could not be graded, and so there is no critique",
  replies: [],
};

/** Null if there will be no critique; throws if another attempt may bring one. */
function withCritique(subject: Subject, { critiques }: ReplyWork): Subject | null {
  if (critiques === undefined) return subject;
  const critique = critiques.get(replyKey(subject));
  if (critique === null) return null;
  if (critique !== undefined) return { ...subject, critique };
  throw new Failure(
    "model-unusable",
    "No critique to judge the errors by: grading the steps of this reply failed.",
    { sample: subject.sample.id },
  );
}

/** Frames for a judge that looks, where the video is there; and the tag by which `forget` finds the calls. */
async function framesFor(
  { sample }: Subject,
  { judge, videos, text_only, settings, store, run, signal }: ReplyWork,
): Promise<{ media: Part[]; video: string }> {
  const unknown = hashOf(["video of no known content", sample.video]);
  if (videos === null) return { media: [], video: unknown };
  const path = join(videos, sample.video);
  const file = await mediaFile(path).catch((error: unknown) => {
    if (isFailure(error)) return null;
    throw error;
  });
  if (file === null) return { media: [], video: unknown };
  if (!judge.sees || text_only) {
    const known = await store.catalogue.knownVideo(path, file.size, file.modified_ms);
    return { media: [], video: known ?? unknown };
  }
  const work = { store, run, signal };
  const video = await openVideo(path, work);
  const spec = wholeVideoSpec(settings);
  await checkFrames(video, [spec], settings, work);
  const frames = await sampleFrames(video, spec, work);
  return { media: frames.map((frame) => ({ type: "image", frame })), video: video.hash };
}
