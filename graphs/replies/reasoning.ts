/*
 * Reasoning that a server left in the text of a reply: between tags, in the marks of Kimi (`◁think▷`) or Magistral
 * (`[THINK]`), or in the channels of gpt-oss.
 */

const MARK =
  /<\/?(?:think|thinking|thoughts?|seed:think|reasoned|reasoning|reflection|analysis)>|◁\/?think▷|\[\/?THINK\]|<\|channel\|>(?:analysis|final)<\|message\|>/gi;
const CLOSES = /^.\/|final/i;

/**
 * A reply without its reasoning, and whether the last block of it is open, as in a reply that was cut off. A mark that
 * closes a block which nothing opened ends the reasoning before it, since chat templates remove the first mark. Blocks do
 * not nest: a model that names the tag while it reasons closes it once.
 *
 * @example splitReasoning("A or B? It is A.</think>A") // { visible: "A", open: false }
 */
export function splitReasoning(reply: string): { visible: string; open: boolean } {
  let visible = "";
  let open = false;
  let from = 0;
  for (const { 0: mark, index } of reply.matchAll(MARK)) {
    const closes = CLOSES.test(mark);
    if (!open) visible += reply.slice(from, index);
    if (closes && !open) visible = "";
    open = !closes;
    from = index + mark.length;
  }
  return { visible: open ? visible : visible + reply.slice(from), open };
}

/** A reply without its reasoning (`splitReasoning`), not trimmed. */
export function withoutReasoning(reply: string): string {
  return splitReasoning(reply).visible;
}

/** Whether a text has a mark at which reasoning begins or ends. */
export function hasReasoningMark(text: string): boolean {
  return text.search(MARK) !== -1;
}
