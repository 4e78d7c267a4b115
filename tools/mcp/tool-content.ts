import sharp from "sharp";
import { cutText } from "../../src/core/cut-text.ts";
import type { FrameRef } from "../../src/core/shapes.ts";
import type { ToolContext } from "../agent/tool-context.ts";

/** Characters of a result that the model gets. */
const MOST_CHARACTERS = 20_000;
/** Pictures of a result that are read. */
const MOST_PICTURES = 4;
const MOST_PICTURE_BYTES = 10 * 2 ** 20;
const MOST_PIXELS = 40_000_000;
/** Longest side in pixels, unless the settings limit that of frames. */
const DEFAULT_SIDE = 1024;
/** Formats that are decoded; others, such as SVG, can refer to files. */
const FORMATS = ["jpeg", "png", "webp", "gif"];

/** A result in words, with its pictures as stored frames. It is JSON, so that it can be stored. */
export interface ServerResult {
  text: string;
  pictures: FrameRef[];
}

/** A content block as `@langchain/mcp-adapters` returns it. */
type Block = Readonly<Record<string, unknown>>;

/**
 * Reads a result of a server: its text, cut to a limit, and its first pictures, shrunk to the size of frames. Other
 * content is named only.
 */
export async function readContent(
  content: unknown,
  { video, settings, job }: Pick<ToolContext, "video" | "settings" | "job">,
): Promise<ServerResult> {
  const words: string[] = [];
  const pictures: FrameRef[] = [];
  for (const block of blocksOf(content)) {
    if (block.type === "image") {
      const picture =
        pictures.length < MOST_PICTURES && typeof block.data === "string"
          ? await storePicture(block.data, { video, settings, job })
          : null;
      if (picture === null) words.push("[a picture that is not shown]");
      else pictures.push(picture);
    } else words.push(wordsOf(block));
  }
  return { text: limited(words.filter((text) => text !== "").join("\n")), pictures };
}

function blocksOf(content: unknown): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return [content].flat().filter((block) => typeof block === "object" && block !== null) as Block[];
}

/** Text, the text of a resource, or what was left out. Addresses are not opened. */
function wordsOf(block: Block): string {
  if (typeof block.text === "string") return block.text;
  if (typeof block.url === "string") return `[a link: ${block.url}]`;
  const type = typeof block.mime_type === "string" ? block.mime_type : String(block.type);
  return `[${type}, which is not shown]`;
}

function limited(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${cutText(text, MOST_CHARACTERS)}\n[cut: the result has ${text.length} characters]`;
}

async function storePicture(
  base64: string,
  { video, settings, job }: Pick<ToolContext, "video" | "settings" | "job">,
): Promise<FrameRef | null> {
  if (base64.length > (MOST_PICTURE_BYTES * 4) / 3) return null;
  const { max_side, quality } = settings.recognition;
  const side = max_side ?? DEFAULT_SIDE;
  try {
    const given = Buffer.from(base64, "base64");
    const { format } = await sharp(given, { limitInputPixels: MOST_PIXELS }).metadata();
    if (!FORMATS.includes(format)) return null;
    const { data, info } = await sharp(given, { limitInputPixels: MOST_PIXELS })
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .jpeg({ quality })
      .toBuffer({ resolveWithObject: true });
    const { hash } = await job.store.blobs.put(video.hash, data, "jpg");
    return { hash, video: video.hash, t_s: 0, width: info.width, height: info.height };
  } catch (error) {
    job.signal?.throwIfAborted();
    // Damaged, or too many pixels.
    if (error instanceof Error && error.name === "Error") return null;
    throw error;
  }
}
