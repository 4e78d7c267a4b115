import fc from "fast-check";
import { expect, test } from "vitest";
import { majorityVote } from "../../src/core/vote.ts";

const ballots = (...answers: (string | number[] | null)[]) =>
  answers.map((answer, index) => ({ number: index + 1, answer }));

test("The most frequent answer wins, and its share counts ballots without an answer", () => {
  expect(majorityVote(ballots("A", "B", "B", null))).toEqual({
    answer: "B",
    number: 2,
    votes: 2,
    cast: 3,
    ballots: 4,
    second: 1,
    share: 0.5,
  });
  expect(majorityVote(ballots(null, null))).toMatchObject({ answer: null, number: null, share: 0 });
  expect(majorityVote([])).toMatchObject({ answer: null, ballots: 0, share: 0 });
});

test("A tie goes to the answer with the lowest number in any order of arrival", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 12 })
        .chain((numbers) =>
          fc.tuple(
            fc.constant(numbers),
            fc.array(fc.constantFrom("A", "B", "C", null), {
              minLength: numbers.length,
              maxLength: numbers.length,
            }),
          ),
        ),
      ([numbers, answers]) => {
        const given = numbers.map((number, i) => ({ number, answer: answers[i] ?? null }));
        const inOrder = [...given].sort((a, b) => a.number - b.number);
        const result = majorityVote(given);
        expect(result).toEqual(majorityVote(inOrder));
        const count = (letter: string) => given.filter(({ answer }) => answer === letter).length;
        const most = Math.max(count("A"), count("B"), count("C"));
        const first = inOrder.find(({ answer }) => answer !== null && count(answer) === most);
        expect(result.answer).toBe(most === 0 ? null : first?.answer);
        expect(result.number).toBe(most === 0 ? null : first?.number);
      },
    ),
  );
});

test("Orders vote as whole permutations, not place by place", () => {
  const voted = majorityVote(ballots([1, 2, 3], [2, 1, 3], [2, 3, 1], [2, 3, 1]));
  expect(voted).toMatchObject({ answer: [2, 3, 1], number: 3, votes: 2 });
});

test("Answers with equal keys vote together, and the text of the first is used", () => {
  const voted = majorityVote(ballots("a door", "The window", "the window."), (answer) =>
    String(answer).toLowerCase().replace(/\.$/, ""),
  );
  expect(voted).toMatchObject({ answer: "The window", votes: 2 });
});
