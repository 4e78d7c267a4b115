import { makeEvidence } from "../../src/core/evidence.ts";
import { ocrLanguages } from "../../src/core/settings/ocr-languages.ts";
import type { Evidence, FrameRef } from "../../src/core/shapes.ts";
import { followBoard } from "../../tools/mathematics/board.ts";
import { findCharts } from "../../tools/mathematics/charts.ts";
import { readText } from "../../tools/text/read-text.ts";
import { suggestLanguage } from "../../tools/text/suggest-language.ts";
import { type TextPicture, textPictures } from "../../tools/text/text-pictures.ts";
import type { GraphContext } from "../context.ts";
import { parseScreenText, type ScreenLine } from "../replies/parse-screen-text.ts";
import { allSettledOrThrow } from "../stage.ts";
import type { State, Update } from "../state.ts";
import { callModel, images, unreadableReply } from "./call-model.ts";
import { isMathematical } from "./mathematics/is-mathematical.ts";
import { MOST_PICTURES } from "./picture-limits.ts";
import { NO_PICTURES } from "./pictures.ts";
import { foreseeAnswer, isLimited, reserveCalls } from "./reserve-budget.ts";

const STAGE = "text";

/** Reads the text on screen with its times, as set with `recognition.ocr`. */
export async function readScreen(state: State, context: GraphContext): Promise<Update> {
  const { video, settings, emit } = context;
  if (video.probe.video === null) {
    emit(STAGE, { type: "note", text: `${NO_PICTURES} Only what is said is used.` });
    return {};
  }
  const evidence =
    settings.recognition.ocr === "model"
      ? await readByModel(state, context)
      : await readByTesseract(context);
  return { evidence, diagnostics: { texts: evidence.length } };
}

/** Lines of text and equations, and the charts that labels and numbers form. */
async function readByTesseract(context: GraphContext): Promise<Evidence[]> {
  const { video, settings } = context;
  const spec = ocrLanguages(settings.recognition);
  const lines = await readText(video, spec, context.job(STAGE));
  const advice =
    settings.recognition.ocr_language === null
      ? await suggestLanguage(video, lines, spec, context.job(STAGE))
      : null;
  if (advice !== null) context.emit(STAGE, { type: "note", text: advice });
  return [...lines, ...findCharts(lines)];
}

/** One call for each picture that differs from the others and seems to hold text. */
async function readByModel({ question }: State, context: GraphContext): Promise<Evidence[]> {
  const { max_side, max_area, quality } = context.settings.recognition;
  const spec = { most: MOST_PICTURES, max_side, max_area, quality };
  const pictures = await textPictures(context.video, spec, context.job(STAGE));
  // Reserved before the readings, so that the budget still covers the answer. Without an answer no reading is of use.
  const answer = isLimited(context)
    ? await foreseeAnswer(question, { descriptions: 1 }, [], context)
    : [];
  const held = reserveCalls(context.ledger, answer);
  if ("refused" in held) return [];
  try {
    const prompt = isMathematical(question, [], context)
      ? "mathematics/read-board"
      : "rrd/read-text";
    const read = await allSettledOrThrow(
      pictures.map((picture) => linesOf(picture, prompt, context)),
    );
    return [
      ...pictures.flatMap((picture, index) => wordsOf(picture, read[index] ?? [], context)),
      ...equationsOf(pictures, read, context),
    ];
  } finally {
    held.release();
  }
}

async function linesOf(
  { frame }: TextPicture,
  prompt: "mathematics/read-board" | "rrd/read-text",
  context: GraphContext,
): Promise<ScreenLine[]> {
  const result = await callModel(context, {
    stage: STAGE,
    role: "recogniser",
    label: `text at ${frame.t_s.toFixed(1)} s`,
    prompts: [context.prompts.render(prompt, {})],
    media: images([frame]),
  });
  if (result.status === "limit" || unreadableReply(result) !== null) return [];
  return parseScreenText(result.reply.text);
}

/** One item for the words of a picture and one for each of its figures and charts, for each time span on screen. */
function wordsOf(
  { frame, spans }: TextPicture,
  lines: readonly ScreenLine[],
  context: GraphContext,
): Evidence[] {
  const words = lines.flatMap(({ kind, text }) => (kind === "text" ? [text] : []));
  const drawn = lines.filter(({ kind }) => kind === "figure" || kind === "chart");
  const items = [
    ...(words.length > 0 ? [{ text: words.join("\n") }] : []),
    ...drawn.map(({ kind, text }) => ({
      text: `${kind === "figure" ? "Figure" : "Chart"}: ${text}`,
      data: { shows: kind },
    })),
  ];
  return spans.flatMap((span) =>
    items.map((item) =>
      makeEvidence({ ...item, ...span, kind: "text", frame, ...readBy(frame, context) }),
    ),
  );
}

/** Each equation once over all pictures, from when it is complete to when it disappears. */
function equationsOf(
  pictures: readonly TextPicture[],
  read: readonly (readonly ScreenLine[])[],
  context: GraphContext,
): Evidence[] {
  const readings = pictures.flatMap(({ frame, spans }, index) =>
    spans.map((span) => ({
      ...span,
      lines: (read[index] ?? []).flatMap(({ kind, text }) => (kind === "equation" ? [text] : [])),
      of: frame,
    })),
  );
  return followBoard(readings).map(({ text, start_s, end_s, began_s, erased, of: frame }) =>
    makeEvidence({
      kind: "equation",
      text,
      data: { latex: text, began_s, erased },
      start_s,
      end_s,
      frame,
      ...readBy(frame, context),
    }),
  );
}

function readBy({ video }: FrameRef, { models }: GraphContext) {
  const name = models.nameOf("recogniser") ?? "unnamed";
  return { video, by: { who: "model" as const, name }, confidence: null, from: [] };
}
