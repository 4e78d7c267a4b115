/* Addresses of resources: pictures by the hash of their content, evidence pages by the id of their question. */

export const FRAME_TEMPLATE = "video-rrd://frames/{hash}";
export const PAGE_TEMPLATE = "video-rrd://questions/{id}/evidence.html";

export function frameUri(hash: string): string {
  return `video-rrd://frames/${hash}`;
}

export function pageUri(question: string): string {
  return `video-rrd://questions/${question}/evidence.html`;
}

/** What an address names, or null. */
export function readUri(
  uri: string,
): { type: "frame"; hash: string } | { type: "page"; question: string } | null {
  const [, hash] = /^video-rrd:\/\/frames\/([0-9a-f]{64})$/.exec(uri) ?? [];
  if (hash !== undefined) return { type: "frame", hash };
  const [, question] = /^video-rrd:\/\/questions\/([\w-]{1,64})\/evidence\.html$/.exec(uri) ?? [];
  return question === undefined ? null : { type: "page", question };
}
