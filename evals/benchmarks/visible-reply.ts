/* What of a reply is said to a reader: without its reasoning, and without the marks of a text format. */

const THINKING = /<(\/?)(?:think|thinking|reasoned|reasoning|reflection|analysis)>/gi;

/** The reply without its reasoning. Of `<answer>` tags only the last one's content is left. */
export function finalPart(reply: string): string {
  const visible = withoutReasoning(reply);
  const answers = [...visible.matchAll(/<answer>(.*?)(?:<\/answer>|$)/gis)];
  return (answers.at(-1)?.[1] ?? visible).trim();
}

/**
 * Removes blocks in reasoning tags, also one whose opening tag the chat template removed, and one without a closing
 * tag. Blocks do not nest: a model that names the tag while it reasons closes it once.
 */
export function withoutReasoning(reply: string): string {
  return splitReasoning(reply).visible;
}

function splitReasoning(reply: string): { visible: string; open: boolean } {
  let visible = "";
  let open = false;
  let from = 0;
  for (const tag of reply.matchAll(THINKING)) {
    if (!open) visible += reply.slice(from, tag.index);
    if (tag[1] === "/" && !open) visible = "";
    open = tag[1] === "";
    from = tag.index + tag[0].length;
  }
  return { visible: open ? visible : visible + reply.slice(from), open };
}

/**
 * The lines that may contain the final answer, the most reliable first. If the prompt asks for the answer at the end,
 * that is the last line outside reasoning. If the last block of reasoning is not closed, its last line comes before it,
 * marked `inReasoning`: a labelled answer there counts, a bare letter may be part of the reasoning.
 */
export function lastLines(reply: string): { line: string; inReasoning: boolean }[] {
  const { visible, open } = splitReasoning(reply);
  const said = { line: linesOf(visible).at(-1) ?? "", inReasoning: false };
  const last = open ? (linesOf(reply).at(-1) ?? "") : "";
  const reasoned = last === "" || last.search(THINKING) !== -1 ? [] : [last];
  return [...reasoned.map((line) => ({ line, inReasoning: true })), said];
}

export function linesOf(text: string): string[] {
  return plain(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Commands of LaTeX that only change how their text looks. */
const STYLED =
  /\\(?:text(?:bf|it|rm|sf|sc|tt|up|sl)?|math(?:rm|bf|it|sf|tt)|emph|underline|boldsymbol|mbox) ?\{([^{}]*)\}/g;
/** Tags of HTML that only change how their text looks. A single `<b>` stays: it may be a letter in angle brackets. */
const TAGGED = /<(b|i|u|em|strong|span|p|mark|code|center)>([^<>]{0,300})<\/\1>/gi;
/** Tokens of chat templates that a server left in a reply; `</s>` elsewhere than at the end is HTML. */
const CHAT_TOKEN = /<\|\w{1,40}\|>|<(?:eos|end_of_turn)>|<\/s>\s*$/gi;
/** Styles may be nested: `<b><i>C</i></b>`. */
const NESTED = 3;

/**
 * Without marks of Markdown, LaTeX and HTML around an answer and tokens of chat templates, and with ordinary characters
 * for full-width ones; runs of spaces become one, and so do runs of empty lines.
 */
export function plain(text: string): string {
  let bare = text
    .replace(CHAT_TOKEN, "")
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  for (let depth = 0; depth < NESTED; depth++)
    bare = bare.replace(STYLED, "$1").replace(TAGGED, "$2");
  return bare
    .replace(/\\([<>])/g, "$1")
    .replace(/\\[()[\]]/g, "")
    .replace(/[*`_~]/g, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n");
}
