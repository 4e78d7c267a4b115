import { saysNotAnswered } from "./not-answered.ts";
import { withoutCitations } from "./parse-citations.ts";
import { finalPart } from "./visible-reply.ts";

/** `answer`: null if the reply has none, or says in the words of the prompts that it has none (`refuses`). */
export interface OpenAnswer {
  answer: string | null;
  how: string;
  refuses?: true;
}

const REFUSES = { answer: null, how: "the reply is not an answer", refuses: true } as const;
const LABEL = /(?:^|\n)[#>*_ \t]*(?:final )?answer[*_ \t]*[:：][*_\s]*/gi;
/** A line that begins what is said about an answer. */
const REMARK =
  /\n[#>*_ \t-]*(?:(?:brief |short )?(?:explanation|reason(?:ing)?|rationale|justification)|evidence|sources?|references?|confidence|notes?|why)\b[*_ \t]*[:：]|\n[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|$)/i;
/** Words of a paragraph that is an answer by itself, whatever follows it. */
const FEW_WORDS = 5;

/**
 * The text after the last `Answer:` outside reasoning, or the whole reply, without citations and without what follows about
 * the answer: an explanation under its label, or another paragraph after an answer of a few words.
 */
export function readOpenAnswer(reply: string): OpenAnswer {
  const final = withoutCitations(finalPart(reply)).trim();
  if (final === "") return { answer: null, how: "an empty reply" };
  if (saysNotAnswered(final)) return REFUSES;
  const last = [...final.matchAll(LABEL)].at(-1);
  if (last === undefined) return { answer: withoutRemarks(final), how: "the whole reply" };
  const said = withoutRemarks(final.slice(last.index + last[0].length)).replace(
    /(?<![*_\s])[*_\s]+$/,
    "",
  );
  if (saysNotAnswered(said)) return REFUSES;
  return said === ""
    ? { answer: null, how: "nothing after `Answer:`" }
    : { answer: said, how: "after `Answer:`" };
}

function withoutRemarks(text: string): string {
  const remark = REMARK.exec(text)?.index ?? text.length;
  const said = text.slice(0, remark).trim();
  const [first = "", ...others] = said.split(/\n[*_\s]*\n/);
  const isShort =
    others.length > 0 && first.split(/\s+/).length <= FEW_WORDS && !/[:：]\s*$/.test(first);
  return (isShort ? first : said).trim();
}
