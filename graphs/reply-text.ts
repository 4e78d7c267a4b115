/**
 * What a model says in the end: without the reasoning that some servers leave in the text between
 * `<think>` tags. A tag that was never opened ends the reasoning before it; one never closed leaves nothing.
 */
export function finalText(text: string): string {
  const closed = text.replace(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, "");
  const begun = closed.replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, "");
  return begun.replace(/<(?:think|thinking|reasoning)>[\s\S]*$/i, "").trim();
}

/** One line, so that a description cannot pose as a line of its own in a list. Otherwise verbatim. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
