import { isSubordinate } from "./answer-context.ts";

/* Sentences that call an option right: `Option A is wrong. Option C is correct because ...` */

const CALLED_RIGHT =
  /(?:^|[.!?;\n] ?|, |\b(?:so|thus|therefore|hence|and|but|while|whereas|only) )(?:(?:option|choice) ["'(]?([A-Z])["')]? (?:is|must be) (?:(?:clearly|therefore|thus|the|most|only|best|also) )*(?:correct|right|accurate|best)(?: (?:answer|option|choice|one))?|["'(]?([A-Z])["')]? (?:is|must be) (?:(?:clearly|therefore|thus|the|most|only|best) )*(?:(?:correct|right|accurate|best|appropriate) (?:answer|option|choice)|correct|right)|(?:選択肢|选项|選項)([A-Z])(?:が(?:正解|正しい)|是?正[确確]))(?=(?:です|だ|的)?[.!;。]? *(?:$|\n)|[.!;] |,? (?:because|since|as|given|due)\b)/gi;

/** What makes another option as right as one that was called right. */
const ALSO_RIGHT =
  /\b(?:option |choice )\(?([A-Z])\)? (?:is|seems|must be) (?:(?:also|even|clearly|equally) )*(?:correct|right|better)\b(?! (?:if|in that|in saying))/gi;
const CLAIMED = /(?:option |choice )?["'(]?[A-Z]["')]? (?:is|must be) /i;

/** The only option that a reply calls right, by its letter; undefined without one, and if several are called right. */
export function letterCalledRight(text: string): string | undefined {
  const called = [...text.matchAll(CALLED_RIGHT)]
    .filter(({ index, 0: said }) => !isSubordinate(text, index + said.search(CLAIMED)))
    .map(([, named, bare, foreign]) => named ?? bare ?? foreign ?? "");
  const [first, ...others] = new Set(called);
  const isRival = [...text.matchAll(ALSO_RIGHT)].some(([, letter]) => letter !== first);
  if (isRival) return undefined;
  return others.length === 0 && first === first?.toUpperCase() ? first : undefined;
}
