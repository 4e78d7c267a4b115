import { makeEvidence } from "../../src/core/evidence.ts";
import { ocrMode } from "../../src/core/settings.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { readText } from "../../tools/read-text.ts";
import { type TextPicture, textPictures } from "../../tools/text-pictures.ts";
import type { GraphContext } from "../context.ts";
import { parseScreenText, type ScreenLine } from "../parse-screen-text.ts";
import { together } from "../stage.ts";
import type { State, Update } from "../state.ts";
import { callModel, images, withoutWords } from "./call-model.ts";

const STAGE = "text";

/** Pictures that a model reads of one video, those that stood longest. */
export const MOST_PICTURES = 32;

/** What stands written on screen, and when, as the settings have it read. */
export async function readScreen({ question }: State, context: GraphContext): Promise<Update> {
  const unread = whyUnread(question.task, context);
  if (unread !== null) {
    context.emit(STAGE, { type: "note", text: unread });
    return {};
  }
  const evidence =
    ocrMode(context.settings, question.task) === "model"
      ? await readByModel(context)
      : await readText(context.video, {}, context.work(STAGE));
  for (const item of evidence) context.emit(STAGE, { type: "evidence", item });
  return { evidence, diagnostics: { texts: evidence.length } };
}

function whyUnread(task: string, { settings, video }: GraphContext): string | null {
  if (task === "order" && settings.strategy === "rrd")
    return "Text on screen takes no part in ordering clips, which is done on their descriptions.";
  if (video.probe.video === null) return "There is no picture to read text from.";
  return null;
}

/** One call for each picture that differs from the others and seems to hold text. */
async function readByModel(context: GraphContext): Promise<Evidence[]> {
  const { max_side, max_area, quality } = context.settings.recognition;
  const spec = { most: MOST_PICTURES, max_side, max_area, quality };
  const pictures = await textPictures(context.video, spec, context.work(STAGE));
  // Held back from the readings, so that a spent budget leaves a call to answer with.
  const held = context.ledger.reserve({ calls: 1, frames: 0, tokens: 0, cost: null });
  try {
    const read = await together(pictures.map((picture) => linesOf(picture, context)));
    return pictures.flatMap((picture, index) => evidenceOf(picture, read[index] ?? [], context));
  } finally {
    if ("release" in held) held.release();
  }
}

async function linesOf({ frame }: TextPicture, context: GraphContext): Promise<ScreenLine[]> {
  const result = await callModel(context, {
    stage: STAGE,
    role: "recogniser",
    label: `text at ${frame.t_s.toFixed(1)} s`,
    prompts: [context.prompts.render("rrd/read-text", {})],
    media: images([frame]),
  });
  if (result.status === "limit" || withoutWords(result) !== null) return [];
  return parseScreenText(result.reply.text);
}

/** The words of a picture are one item, each of its equations another, for every time that it stood. */
function evidenceOf(
  { frame, spans }: TextPicture,
  lines: readonly ScreenLine[],
  context: GraphContext,
): Evidence[] {
  const words = lines.flatMap(({ kind, text }) => (kind === "text" ? [text] : []));
  const items: ScreenLine[] = [
    ...(words.length > 0 ? [{ kind: "text" as const, text: words.join("\n") }] : []),
    ...lines.filter(({ kind }) => kind === "equation"),
  ];
  const name = context.models.nameOf("recogniser") ?? "unnamed";
  return spans.flatMap((span) =>
    items.map((item) =>
      makeEvidence({
        video: frame.video,
        ...item,
        ...span,
        frame,
        by: { who: "model", name },
        confidence: null,
        from: [],
      }),
    ),
  );
}
