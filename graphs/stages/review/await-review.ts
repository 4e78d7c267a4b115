import { interrupt, isInvalidResume } from "@langchain/langgraph";
import { z } from "zod";
import { Failure } from "../../../src/core/errors.ts";

/**
 * Pauses the graph until a person resumes it with a value of this schema. Another value is refused with `Failure`
 * `wrong-usage`; the graph stays paused and can be resumed again.
 */
export function awaitReview<Schema extends z.ZodType>(
  request: Record<string, unknown>,
  schema: Schema,
): z.output<Schema> {
  try {
    return interrupt<unknown, z.output<Schema>>(request, { responseSchema: schema });
  } catch (error) {
    if (!isInvalidResume(error) || !(error instanceof z.core.$ZodError)) throw error;
    const said = error.issues.map(({ path, message }) =>
      [...(path.length === 0 ? [] : [path.join(".")]), message.replace(/\.$/, "")].join(": "),
    );
    throw new Failure(
      "wrong-usage",
      `Invalid review: ${said.join("; ")}. Resume again with a corrected value.`,
      { resumable: true },
      { cause: error },
    );
  }
}
