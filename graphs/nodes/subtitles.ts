import type { Rendered } from "../../prompts/load.ts";
import { makeEvidenceSet } from "../../src/core/evidence.ts";
import type { Evidence, FrameRef, Question } from "../../src/core/shapes.ts";
import { clock } from "../../src/core/time.ts";
import { searchEvidence } from "../../tools/search.ts";
import {
  alignToFrames,
  alignToTimes,
  linspaceFrames,
  NO_SUBTITLES,
} from "../../tools/subtitles/align.ts";
import type { Cue } from "../../tools/subtitles/cue.ts";
import { readSubtitles, subtitleEvidence } from "../../tools/subtitles.ts";
import type { GraphContext } from "../context.ts";
import type { State, Update } from "../state.ts";
import { wholeVideo } from "./frames.ts";

/** Cues that `retrieved` lets through. */
const RETRIEVED = 20;

/** Subtitles as evidence beside the captions, for strategies that reason over evidence. */
export async function readSpoken({ question }: State, context: GraphContext): Promise<Update> {
  if (question.task === "order") {
    const text = "Subtitles take no part in ordering clips, which is done on their descriptions.";
    context.emit("read", { type: "note", text });
    return {};
  }
  const aligned = context.settings.recognition.subtitles === "aligned";
  const frames = aligned ? await wholeVideo(context, "read") : [];
  const { evidence } = await subtitlesFor(question, frames, context, "read");
  for (const item of evidence) context.emit("read", { type: "evidence", item });
  return { evidence };
}

/**
 * The cues that the settings let through: those at the frames shown, all, or those found for the question. `text` is
 * what a prompt says of them: null where it says nothing.
 */
export async function subtitlesFor(
  question: Question,
  frames: readonly FrameRef[],
  context: GraphContext,
  stage: string,
): Promise<{ evidence: Evidence[]; text: string | null }> {
  const mode = context.settings.recognition.subtitles;
  if (mode === "off") return { evidence: [], text: null };
  const { cues, source, refused } = await readSubtitles(context.video, {}, context.work(stage));
  for (const { what, why } of refused)
    context.emit(stage, { type: "note", text: `${what} was not read. ${why}` });
  if (source === null)
    return { evidence: [], text: context.wording === "videomathqa" ? NO_SUBTITLES : null };
  const by = { who: "file", name: source.name } as const;
  const chosen = mode === "aligned" ? alignedCues(cues, frames, context) : cues;
  const all = subtitleEvidence(context.video.hash, chosen, by);
  const evidence = mode === "retrieved" ? await retrieved(question, all, context) : all;
  return { evidence, text: evidence.map((item) => line(item, context)).join("\n") };
}

function line({ start_s, text }: Evidence, { wording }: GraphContext): string {
  return wording === "videomathqa" ? text : `${clock(start_s)} ${text}`;
}

async function retrieved(question: Question, all: readonly Evidence[], context: GraphContext) {
  const query = [question.text, ...(question.options ?? []).map(({ text }) => text)].join(" ");
  const filters = { limit: RETRIEVED };
  const hits = await searchEvidence(makeEvidenceSet(all), query, filters, context.store);
  return makeEvidenceSet(hits.map((hit) => hit.evidence)).items;
}

/** By frame numbers as VideoMathQA's released code does where that is what was sampled, else by the frames' times. */
function alignedCues(
  cues: readonly Cue[],
  frames: readonly FrameRef[],
  { wording, settings, video }: GraphContext,
): Cue[] {
  const stream = video.probe.video;
  const numbered = wording === "videomathqa" && settings.recognition.sampler === "ends";
  if (numbered && stream !== null && stream.frames !== null && stream.fps !== null) {
    const { fps } = stream;
    const sampled = linspaceFrames(stream.frames, settings.recognition.frames);
    return cues.filter((cue) => alignToFrames([cue], sampled, fps) !== "");
  }
  const times = frames.map((frame) => frame.t_s);
  return cues.filter((cue) => alignToTimes([cue], times) !== "");
}

export function subtitlePrompt(text: string, { wording, prompts }: GraphContext): Rendered {
  return prompts.render(wording === "videomathqa" ? "videomathqa/subtitles" : "ask/subtitles", {
    subtitles: text,
  });
}
