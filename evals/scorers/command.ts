import { z } from "zod";
import { Program, programText } from "../../src/core/program.ts";
import { defineScorer } from "./define-scorer.ts";
import { rightIs } from "./references.ts";

/** A program of the user grades every reply, from 0 to 1 (`--scorer-command`). */
export const command = defineScorer({
  name: "command",
  summary: "a program (--scorer-command) scores every reply over JSON lines",
  needs: "scorer_command",
  isGraded: true,
  settings: {
    scorer_command: {
      schema: Program,
      placeholder: "<program>",
      summary:
        "command: program with its arguments, which reads a JSON line for each reply and writes one with its value",
      expected: "a program that can be started, with its arguments, such as 'python3 grade.py'",
      show: (value) => programText(Program.parse(value)),
    },
    scorer_timeout: {
      schema: z.coerce.number().positive().max(1_000_000),
      placeholder: "<seconds>",
      summary: "command: longest duration of the program (default: 600)",
      expected: "a number of seconds above 0",
    },
  },
  score: (answer, sample) => ({ value: null, answer, explanation: rightIs(sample) }),
});
