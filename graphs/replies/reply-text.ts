/**
 * The final text of a reply, without the reasoning between `<think>` tags that some servers leave in the text. A
 * closing tag without an opening one ends the reasoning before it; text after an unclosed tag is removed.
 */
export function finalText(text: string): string {
  const begun = withoutClosed(text).replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, "");
  return begun.replace(/<(?:think|thinking|reasoning)>[\s\S]*$/i, "").trim();
}

/** Without the text between a tag and the next one that closes it. A tag that nothing closes is searched for once. */
function withoutClosed(text: string): string {
  const opening = /<(think|thinking|reasoning)>/gi;
  const open = new Set<string>();
  let rest = "";
  let from = 0;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const name = tag[1]?.toLowerCase() ?? "";
    if (open.has(name)) continue;
    const closing = new RegExp(`</${name}>`, "gi");
    closing.lastIndex = opening.lastIndex;
    if (closing.test(text)) {
      rest += text.slice(from, tag.index);
      from = closing.lastIndex;
      opening.lastIndex = from;
    } else open.add(name);
  }
  return rest + text.slice(from);
}

/** On one line, so that a text cannot pass as further lines of a list. Otherwise unchanged. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
