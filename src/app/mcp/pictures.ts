import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Store } from "../../core/contracts.ts";
import type { Part } from "../../models/chat.ts";

type Content = CallToolResult["content"];
type Sizes = readonly { side: number; quality: number }[];

/** Bytes of all pictures of one result: with base64, some clients refuse results above 1 MB. */
const RESULT_BYTES = 640_000;
/** Bytes of one picture. */
const PICTURE_BYTES = 320_000;
/** Longest side in pixels and quality, tried in order until a picture is small enough. Models see no more than the first. */
const SIZES: Sizes = [
  { side: 1568, quality: 85 },
  { side: 1280, quality: 75 },
  { side: 960, quality: 65 },
  { side: 640, quality: 55 },
  { side: 384, quality: 45 },
];

/** Text and pictures as the content of a result, each picture after its label. */
export async function toContent(
  parts: readonly Part[],
  store: () => Promise<Pick<Store, "blobs">>,
): Promise<Content> {
  const pictures = parts.filter(({ type }) => type === "image").length;
  const most = Math.min(PICTURE_BYTES, Math.floor(RESULT_BYTES / Math.max(1, pictures)));
  const content: Content = [];
  for (const part of parts) {
    if (part.type === "text") content.push({ type: "text", text: part.text });
    else if (part.label !== undefined) content.push({ type: "text", text: part.label });
    if (part.type !== "image") continue;
    const bytes = await boundedPicture(await store(), part.frame.hash, most);
    content.push({ type: "image", data: bytes.toString("base64"), mimeType: "image/jpeg" });
  }
  return content;
}

/** A picture of the store as JPEG of at most about `most` bytes. Throws `Failure` `not-found`, `damaged`. */
export async function boundedPicture(
  store: Pick<Store, "blobs">,
  hash: string,
  most = PICTURE_BYTES,
): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const bytes = Buffer.from(await store.blobs.read(hash));
  const { width = 0, height = 0, format } = await sharp(bytes).metadata();
  if (format === "jpeg" && bytes.length <= most && Math.max(width, height) <= 1568) return bytes;
  let made = bytes;
  for (const { side, quality } of SIZES) {
    made = await sharp(bytes)
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .jpeg({ quality })
      .toBuffer();
    if (made.length <= most) break;
  }
  return made;
}
