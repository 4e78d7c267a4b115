import { partsOfTexts, pick } from "../change-items.ts";
import { definePerturbation } from "../define-perturbation.ts";
import { numberSpans } from "../words.ts";

const WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export const swapNumbers = definePerturbation({
  name: "swap-numbers",
  summary: "replaces numbers in captions by other numbers",
  unit: "numbers",
  ...partsOfTexts(
    ({ kind }) => kind === "caption",
    numberSpans,
    (number, random) => {
      const digits = /\d+/.exec(number)?.[0];
      if (digits !== undefined) return number.replace(digits, otherDigits(digits, random));
      const word = pick(
        WORDS.filter((other) => other !== number.toLowerCase()),
        random,
      ) as string;
      return /^\p{Lu}/u.test(number) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    },
  ),
});

/** Another number with as many digits: each is drawn again, the first is not 0, and at least one differs. */
function otherDigits(digits: string, random: () => number): string {
  const drawn = [...digits].map((_, place) =>
    String(
      place === 0 && digits.length > 1 ? 1 + Math.floor(random() * 9) : Math.floor(random() * 10),
    ),
  );
  if (drawn.join("") !== digits) return drawn.join("");
  const last = drawn.length - 1;
  drawn[last] = String((Number(drawn[last]) + 1 + Math.floor(random() * 8)) % 10);
  return drawn.join("");
}
