import { soundOrder, UNLABELLED } from "./order/sound-order.ts";
import { finalText } from "./reply-text.ts";

/** More clips than any question has. */
const MOST_CLIPS = 64;

/**
 * The order that a reply states (`soundOrder`): of the clips with these labels or, if they are not known, the longest
 * permutation of 1 to n with n >= 2, one after a label such as `Correct order:` before any other. Null if it states none.
 */
export function parseOrder(text: string, labels?: readonly number[]): number[] | null {
  if (labels !== undefined) return soundOrder(text, labels).answer;
  const numbers = new Set(finalText(text).match(/\d+/g)?.map(Number));
  let longest: number[] | null = null;
  for (let clips = Math.min(numbers.size, MOST_CLIPS); clips >= 2; clips--) {
    const { answer, how } = soundOrder(text, clips);
    if (answer !== null && how !== UNLABELLED) return answer;
    longest ??= answer;
  }
  return longest;
}
