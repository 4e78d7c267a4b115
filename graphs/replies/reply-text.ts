/**
 * What a model says in the end: without the reasoning that some servers leave in the text between
 * `<think>` tags. A tag that was never opened ends the reasoning before it; one never closed leaves nothing.
 */
export function finalText(text: string): string {
  const begun = withoutClosed(text).replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, "");
  return begun.replace(/<(?:think|thinking|reasoning)>[\s\S]*$/i, "").trim();
}

/** Without the text between a tag and the next one that closes it. A tag that nothing closes is searched for once. */
function withoutClosed(text: string): string {
  const opening = /<(think|thinking|reasoning)>/gi;
  const open = new Set<string>();
  let kept = "";
  let from = 0;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const name = tag[1]?.toLowerCase() ?? "";
    if (open.has(name)) continue;
    const closing = new RegExp(`</${name}>`, "gi");
    closing.lastIndex = opening.lastIndex;
    if (closing.test(text)) {
      kept += text.slice(from, tag.index);
      from = closing.lastIndex;
      opening.lastIndex = from;
    } else open.add(name);
  }
  return kept + text.slice(from);
}

/** One line, so that a description cannot pose as a line of its own in a list. Otherwise verbatim. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
