import { soundOrder, UNLABELLED } from "./order/sound-order.ts";
import { finalText } from "./reply-text.ts";

/** More clips than any question has. */
const MOST_CLIPS = 64;
/** A reply that counts on and on is not read as a whole for every number of clips. */
const READ_CHARS = 10_000;

/**
 * The order that a reply states (`soundOrder`): of the clips with these labels or, if they are not known, the longest
 * permutation of 1 to n with n >= 2, one after a label such as `Correct order:` before any other. Null if it states none.
 */
export function parseOrder(text: string, labels?: readonly number[]): number[] | null {
  if (labels !== undefined) return soundOrder(text, labels).answer;
  const end = finalText(text).slice(-READ_CHARS);
  const numbers = new Set(end.match(/\d+/g)?.map(Number));
  let longest: number[] | null = null;
  let named = 0;
  while (named < MOST_CLIPS && numbers.has(named + 1)) named++;
  for (let clips = named; clips >= 2; clips--) {
    const { answer, how } = soundOrder(end, clips);
    if (answer !== null && how !== UNLABELLED) return answer;
    longest ??= answer;
  }
  return longest;
}
