import { Failure } from "../../../src/core/errors.ts";
import { isRow, type Row } from "../data-files.ts";
import type { ReleasedReply } from "../define-benchmark.ts";
import type { ResponseFormat } from "../response-format.ts";
import { officialLetter } from "./read-letter.ts";

/* MMR-V's result files: the rows with `<model>_raw_response` and `<model>_response`. */

export const MMR_V_RESPONSES: ResponseFormat = {
  // Questions are numbered by their place in the release, which differs between releases.
  clues: { video: "video", ids: ["question_idx"], numbered: "index", answer: "correctAnswer" },
  matchesRow: (row) => "correctAnswer" in row,
  file: {
    fields: "question_idx and NAME_raw_response",
    matchesRecord: (record) => rawKeys(record).length > 0 || letterKeys(record).length > 0,
    reader(records, { name, model }) {
      const rawKey = chooseModel(records, name, model);
      return (record) => {
        const letter = record[rawKey.replace(/raw_response$/, "response")];
        const named =
          isRow(letter) && typeof letter.final_answer === "string" ? letter.final_answer : "";
        return {
          reply: record[rawKey],
          ...(named === ""
            ? {}
            : { fallback: { reply: `[[${named}]]`, note: "replies known by their letter only" } }),
        };
      };
    },
  },
};

/** The rows with both columns of the model, the letter left out if `server_evaluation_on_MMR.py` finds none. */
export function toLeaderboard(replies: readonly ReleasedReply[], model: string): string {
  const rows = replies.map(({ sample, reply }) => {
    const found = officialLetter(reply ?? "", { standalone: true });
    return {
      ...sample.row,
      [`${model}_raw_response`]: reply ?? "",
      ...(found.stage === 1 ? { [`${model}_response`]: { final_answer: found.answer } } : {}),
    };
  });
  return `${JSON.stringify(rows, null, 4)}\n`;
}

/** `gpt-4o_raw_response` of the released result files, `raw_response` of lines without a model's name. */
function rawKeys(record: Row): string[] {
  return Object.keys(record).filter((key) => /(^|_)raw_response$/.test(key));
}

/** `gpt-4o_response`, an object with the letter that the inference script found. */
function letterKeys(record: Row): string[] {
  return Object.keys(record).filter(
    (key) => key.endsWith("_response") && !rawKeys(record).includes(key) && isRow(record[key]),
  );
}

function chooseModel(records: readonly Row[], name: string, model: string | undefined): string {
  const keys = new Set(
    records.flatMap((record) => [
      ...rawKeys(record),
      ...letterKeys(record).map((key) => key.replace(/response$/, "raw_response")),
    ]),
  );
  const models = [...keys].map((key) => key.replace(/_?raw_response$/, ""));
  const wanted =
    model === undefined ? [...keys] : [...keys].filter((key) => key === `${model}_raw_response`);
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return only;
  throw new Failure(
    "wrong-usage",
    `${model === undefined ? "Missing --model" : `Unknown --model ${JSON.stringify(model)}`} for ${name}: use one of ${models.join(", ")}.`,
    { name, models, model },
  );
}
