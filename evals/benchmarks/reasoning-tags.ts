import type { Extractor } from "./scored-reply.ts";

/** Tags that lmms-eval removes by default since version 0.7 (`--reasoning_tags`). */
export const REASONING_TAGS = ["think", "analysis"] as const;

/**
 * The reply as lmms-eval 0.7 hands it to a task: without blocks between a tag and the next one that closes it; of a
 * closing tag that nothing opened, only what follows the last one is left. Spelling counts (`<THINK>` is text), and a
 * tag that never closes stays with all that follows. Trimmed.
 */
export function stripReasoning(reply: string, tags: readonly string[] = REASONING_TAGS): string {
  return tags.reduce(withoutBlocks, reply).trim();
}

function withoutBlocks(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let left = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) break;
    left += text.slice(from, start);
    from = end + close.length;
  }
  left += text.slice(from);
  const last = left.lastIndexOf(close);
  return last === -1 || left.includes(open) ? left : left.slice(last + close.length);
}

/** `official` behind lmms-eval 0.7's removal of reasoning. */
export function afterStripping(official: Extractor): Extractor {
  return (reply, sample, { reasoning_tags } = {}) =>
    official(stripReasoning(reply, reasoning_tags), sample);
}
