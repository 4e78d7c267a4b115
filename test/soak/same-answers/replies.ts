import { createHash } from "node:crypto";
import sharp from "sharp";
import type { Reply, SeenRequest } from "../../../src/testing/index.ts";

/** SHA-256 of the decoded pixels of a picture, with its size. */
export async function pixelsOf(picture: Uint8Array): Promise<string> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
  const hash = createHash("sha256").update(data).digest("hex").slice(0, 16);
  return `${info.width}x${info.height} ${hash}`;
}

/** What reached the model: the words and the pixels of every picture, in order. */
export async function shown(request: SeenRequest) {
  return { words: request.texts, pictures: await Promise.all(request.images.map(pixelsOf)) };
}

/** Looks that a search makes before it answers; a version without a tool gets the next one. */
const LOOKS = [
  [{ name: "overview", arguments: {} }],
  [
    { name: "view_frames", arguments: { from_s: 0.2, to_s: 3, count: 3 } },
    { name: "search_evidence", arguments: { query: "first title number person" } },
  ],
  [
    {
      name: "zoom",
      arguments: { at_s: 0.5, box: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 } },
    },
    { name: "read_text", arguments: { at_s: 0.5 } },
  ],
];

/** A reply that depends on every word and pixel of the request, so that a difference in them changes what follows. */
export async function replyTo(request: SeenRequest): Promise<Reply | string> {
  const seen = await shown(request);
  const hash = createHash("sha256").update(JSON.stringify(seen)).digest();
  const words = request.texts.join("\n");
  if (words.includes("Verdict:")) return "Verdict: supported";
  if (/^Describe part \d+ in at most/m.test(words))
    return `It shows scene ${hash.toString("hex", 0, 4)}.`;
  const letters = [...new Set(words.match(/^\(?[A-Z](?=[).] )/gm))].map((at) => at.at(-1));
  const letter = letters[hash.readUInt16BE(0) % letters.length] ?? "A";
  const names = [...new Set(words.match(/\[E\d+\]/g))];
  const name = names[hash.readUInt16BE(2) % names.length] ?? "";
  const offered = (tool: string) => request.tools.some((one) => one.name === tool);
  const looks = LOOKS.map((calls) => calls.filter((call) => offered(call.name)));
  const turn = request.messages.filter(({ role }) => role === "assistant").length;
  const calls = looks.filter((some) => some.length > 0)[turn];
  // The server's own ids count all requests.
  const named = (some: { name: string; arguments: object }[]) =>
    some.map((call, index) => ({ ...call, id: `call_${turn}_${index}` }));
  if (calls !== undefined) return { toolCalls: named(calls) };
  if (offered("answer")) {
    const evidence = name === "" ? [] : [name.slice(1, -1)];
    return { toolCalls: named([{ name: "answer", arguments: { answer: letter, evidence } }]) };
  }
  return `It was seen in ${name}.\nAnswer: ${letter}\n[[${letter}]]`;
}
