import type { ReadResourceResult, Resource } from "@modelcontextprotocol/sdk/types.js";
import { oneLine } from "../../core/errors.ts";
import type { McpHost } from "./host.ts";
import { boundedPicture } from "./pictures.ts";
import { pageUri, readUri } from "./resource-uris.ts";

/** Bytes of a picture as a resource. */
const PICTURE_BYTES = 700_000;
const MOST_LISTED = 100;

/** The evidence pages of answered questions, newest first. Pictures are named by tools and are not listed. */
export async function listPages({ questions }: McpHost): Promise<Resource[]> {
  const answered = await questions.answered();
  return answered.slice(0, MOST_LISTED).map(({ id, text }) => ({
    uri: pageUri(id),
    name: `Evidence: ${oneLine(text, 80)}`,
    mimeType: "text/html",
  }));
}

/** A picture or an evidence page; null if there is none with this address, or if the client may not read it. */
export async function readResource(
  uri: string,
  { questions, mayRead, store: open }: McpHost,
): Promise<ReadResourceResult | null> {
  const named = readUri(uri);
  if (named === null) return null;
  if (named.type === "page") {
    const text = await questions.page(named.question);
    return { contents: [{ uri, mimeType: "text/html", text }] };
  }
  const store = await open();
  const owners = await store.blobs.owners(named.hash);
  const readable = await Promise.all(owners.map((video) => mayRead(video)));
  if (!readable.includes(true)) return null;
  const bytes = await boundedPicture(store, named.hash, PICTURE_BYTES);
  return { contents: [{ uri, mimeType: "image/jpeg", blob: bytes.toString("base64") }] };
}
