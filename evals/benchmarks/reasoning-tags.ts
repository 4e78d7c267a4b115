import type { Extractor } from "./scored-reply.ts";

/** Tags that lmms-eval removes by default since version 0.7 (`--reasoning_tags`). */
export const REASONING_TAGS = ["think", "analysis"] as const;

/**
 * The reply as lmms-eval 0.7 passes it to a task, trimmed: without blocks between a tag and the next closing tag. After
 * closing tags without an opening one, only the text after the last one is rest. Case matters (`<THINK>` is text), and
 * an unclosed tag stays with all text after it.
 */
export function stripReasoning(reply: string, tags: readonly string[] = REASONING_TAGS): string {
  return tags.reduce(withoutBlocks, reply).trim();
}

function withoutBlocks(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  let rest = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) break;
    rest += text.slice(from, start);
    from = end + close.length;
  }
  rest += text.slice(from);
  const last = rest.lastIndexOf(close);
  return last === -1 || rest.includes(open) ? rest : rest.slice(last + close.length);
}

/** `official` after lmms-eval 0.7's removal of reasoning. */
export function afterStripping(official: Extractor): Extractor {
  return (reply, sample, { reasoning_tags } = {}) =>
    official(stripReasoning(reply, reasoning_tags), sample);
}
