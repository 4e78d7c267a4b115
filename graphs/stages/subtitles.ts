import type { Rendered } from "../../prompts/load-prompts.ts";
import { makeEvidenceSet, withSpeaker } from "../../src/core/evidence.ts";
import type { Evidence, FrameRef, Question } from "../../src/core/shapes.ts";
import {
  alignToFrames,
  alignToTimes,
  linspaceFrames,
} from "../../tools/speech/subtitles/align-to-frames.ts";
import type { Cue } from "../../tools/speech/subtitles/cue.ts";
import type { CueReading } from "../../tools/speech/subtitles/read-source.ts";
import type { GraphContext } from "../context.ts";
import type { State, Update } from "../state.ts";
import { wholeVideo } from "./frames.ts";
import { retrieve } from "./retrieve.ts";
import { type Said, whatIsSaid } from "./said.ts";

const STAGE = "subtitles";

/** Cues that `retrieved` selects. */
const RETRIEVED = 20;

/**
 * What is said as evidence, for strategies that reason over evidence: every cue, or those at the frames that the
 * settings select. The stage `search` chooses what the reasoner sees.
 */
export async function readSpoken(_state: State, context: GraphContext): Promise<Update> {
  const { settings, video } = context;
  // Without pictures there are no frames at whose times words could be chosen.
  const aligned = settings.recognition.subtitles === "aligned" && video.probe.video !== null;
  const frames = aligned ? await wholeVideo(context, STAGE) : [];
  const mode = aligned ? "aligned" : "full";
  const { evidence, diagnostics } = await saidAt(mode, frames, context, STAGE);
  return { evidence, diagnostics: { cues: evidence.length, ...diagnostics } };
}

/**
 * The cues that are sent with a direct question: those at the frames shown, all, or those retrieved for the question.
 * `text` is their part of the prompt, null if there is none.
 */
export async function subtitlesFor(
  question: Question,
  frames: readonly FrameRef[],
  context: GraphContext,
  stage: string,
): Promise<{ evidence: Evidence[]; text: string | null }> {
  const mode = context.settings.recognition.subtitles;
  if (mode === "off") return { evidence: [], text: null };
  // The released code that counts frames sends cues as the file has them.
  const foldsRolling = mode === "retrieved" || !context.wording.subtitles.byFrameNumber;
  const { evidence: all, source } = await saidAt(mode, frames, context, stage, { foldsRolling });
  if (source === null) return { evidence: [], text: context.wording.subtitles.missing };
  const set = makeEvidenceSet(all);
  const evidence =
    mode === "retrieved"
      ? makeEvidenceSet(await retrieve(question, set, { limit: RETRIEVED }, context.store)).items
      : all;
  const { line } = context.wording.subtitles;
  const lineOf = (item: Evidence) => line({ ...item, text: withSpeaker(item) });
  return { evidence, text: evidence.map(lineOf).join("\n") };
}

async function saidAt(
  mode: "aligned" | "full" | "retrieved",
  frames: readonly FrameRef[],
  context: GraphContext,
  stage: string,
  reading: CueReading = {},
): Promise<Said> {
  const said = await whatIsSaid(context, stage, reading);
  if (mode !== "aligned") return said;
  return { ...said, evidence: alignedCues(said.evidence, frames, context) };
}

/** By frame numbers if the wording says so and that is what was sampled, else by the times of the frames. */
function alignedCues<C extends Cue>(
  cues: readonly C[],
  frames: readonly FrameRef[],
  { wording, settings, video }: GraphContext,
): C[] {
  const stream = video.probe.video;
  const numbered = wording.subtitles.byFrameNumber && settings.recognition.sampler === "ends";
  if (numbered && stream !== null && stream.frames !== null && stream.fps !== null) {
    const { fps } = stream;
    const sampled = linspaceFrames(stream.frames, settings.recognition.frames);
    return cues.filter((cue) => alignToFrames([cue], sampled, fps) !== "");
  }
  const times = frames.map((frame) => frame.t_s);
  return cues.filter((cue) => alignToTimes([cue], times) !== "");
}

export function subtitlePrompt(text: string, { wording, prompts }: GraphContext): Rendered {
  return prompts.render(wording.subtitles.prompt, { subtitles: text });
}
