import { describe, expect, test } from "vitest";
import { finalLetter } from "../../../graphs/replies/choice/final-letter.ts";

const made = (...texts: string[]) =>
  texts.map((text, place) => ({ letter: "ABCDE"[place] as string, text }));

const PATHS = made("A-B-C-D", "A-C-B-D", "B-A-D-C", "D-A-B-C", "None");
const ARROWS = made("A → B → C", "A → C → B", "B → A → C", "C → A → B", "C → B → A");
const TEX = made("$A \\to B$", "$A \\rightarrow C$", "$B \\to A$", "$A \\cap B$");
const SIGNS = made("A > B", "A < B", "A = B", "Cannot be determined", "B = 2A");
const NAMES = made("Bob", "A red car", "B. subtilis", "B minor", "D major");
const LISTS = made("A red car", "A dog", "A cat", "A and B", "Both A and C");
const LETTERS = made("B", "C", "A");
const LENGTHS = made("12 cm", "14 cm", "16 cm", "18 cm");
const BOTH = made("minor", "B. coli", "A minor");

describe("the words of an option that look like letters", () => {
  test.each([
    ["Answer: A-C-B-D", PATHS, "B"],
    ["The answer is **A–C–B–D**. The path ends at D.", PATHS, "B"],
    ["\\boxed{A-C-B-D}", PATHS, "B"],
    ["[[B-A-D-C]]", PATHS, "C"],
    ["Answer: B. A-C-B-D", PATHS, "B"],
    ["Answer: A-D-C-B", PATHS, null],
    ["Answer: A → C → B", ARROWS, "B"],
    ["Answer: A -> C -> B", ARROWS, "B"],
    ["The answer is $A \\to C \\to B$.", ARROWS, "B"],
    ["\\boxed{A \\rightarrow C \\rightarrow B}", ARROWS, "B"],
    ["The answer is $A \\to C$.", TEX, "B"],
    ["Answer: A ∩ B", TEX, "D"],
    ["The answer is A < B.", SIGNS, "B"],
    ["The answer is A = B.", SIGNS, "C"],
    ["Answer: B = 2A", SIGNS, "E"],
    ["Answer: B minor", NAMES, "D"],
    ["Answer: B. subtilis", NAMES, "C"],
    ["B. subtilis", NAMES, "C"],
    ["Answer: B", NAMES, "B"],
    ["Answer: (B) minor", NAMES, "B"],
    ["Answer: A and B", LISTS, "D"],
    ["Answer: both A and C", LISTS, "E"],
    ["Answer: A and C", LISTS, null],
    ["Answer: A", LETTERS, "A"],
    ["[[B]]", LETTERS, "B"],
    ["Answer: A minor. Wait, it is B.", BOTH, "B"],
    // The letter and the words of its own option.
    ["Answer: A minor", BOTH, "A"],
  ])("%j", (reply, options, letter) => {
    expect(finalLetter(reply, options).letter).toBe(letter);
  });
});

describe("a letter in an expression", () => {
  test.each([
    ["The answer is A + B = 14 cm, so B", "B"],
    ["The answer is A-B-D with 14 cm, so option B", "B"],
    ["The answer is $A \\cdot B$ = 14", null],
    ["The answer is A / 2 = 14 cm", null],
    ["The answer is A^2 = 16", null],
    ["The answer is A → C", null],
    ["The answer is (A+B)/2 = 16 cm", null],
    // A dash or an arrow before the words of an option, or before other words.
    ["Answer: B - 14 cm", "B"],
    ["Answer: B -> 14 cm", "B"],
    ["Answer: B – 14 of them", "B"],
    ["Answer: B - A dog runs", "B"],
    ["Answer: B - C is wrong", "B"],
    ["Answer: B/14 cm (rounded)", "B"],
    ["Answer: B - I Robot", "B"],
    ["The answer is A - C - B", null],
    ["The answer is B - A = 4", null],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, LENGTHS).letter).toBe(letter);
  });

  const TITLES = made("J. K. Rowling", "U.S. Army", "A Tale of Two Cities");
  test.each([
    ["Answer: A - J. K. Rowling, as the title page shows.", "A"],
    ["The answer is B - U.S. Army (seen on the uniform)", "B"],
    ["**Answer: C – A Tale of Two Cities** (shown at 0:12)", "C"],
    ["Answer: C - A Tale of Two Cities, by Dickens", "C"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, TITLES).letter).toBe(letter);
  });
});

describe("several letters, each with its words", () => {
  const DANCES = made("Slow", "Graceful and elegant", "Melodic and graceful", "Fast");
  test.each([
    ["Answer: (B) Graceful and elegant and (C) Melodic and graceful", null],
    ["Therefore, the best answer is (A) Slow, and (D) Fast.", null],
    ["Answer: B. Graceful and elegant; C. Melodic and graceful", null],
    ["Answer: (A) Slow or (D) Fast", null],
    ["Option (A) - Slow, and option (D) - Fast both fit well. However, both seem right.", null],
    ["Answer: (B) Graceful and elegant", "B"],
    ["Answer: (B) Graceful and elegant, and (C) is wrong.", "B"],
    ["The answer is (A) Slow, and (D) Fast is wrong.", "A"],
    ["The answer is (A) Slow; (D) Fast is not seen.", "A"],
    ["The answer is (A) Slow and (D) Fast are both right.", null],
    ["Answer: (B) Graceful and elegant, not (C) Melodic and graceful", "B"],
  ])("%j", (reply, letter) => {
    expect(finalLetter(reply, DANCES).letter).toBe(letter);
  });
});
