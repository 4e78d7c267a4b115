/** The words of the prompts, alone. */
const ALONE = /^\W*not answered\W*$/i;
/** The same in their capitals, before a reason. */
const WITH_REASON = /^\W*NOT ANSWERED(?=[^\S\n]*(?:[.:;,–—(-]|\n))/;

/** Whether a reply says in the words of the prompts that the video does not tell. */
export function saysNotAnswered(text: string): boolean {
  return ALONE.test(text) || WITH_REASON.test(text);
}
