import type { UploadRow } from "../../core/contracts.ts";
import type { Question } from "../../core/shapes.ts";
import { httpProblem } from "./problems.ts";

/** The hash of an uploaded video. Throws a 409 problem if the upload is not complete. */
export function videoOf({ video }: UploadRow): string {
  if (video !== null) return video.hash;
  throw httpProblem(
    409,
    "incomplete",
    "The upload is not complete. Send the remaining bytes first.",
  );
}

/** Checks that the options and the goal fit the task, before the question is queued. Throws a 422 problem. */
export function checkTask({ task, options, goal }: Question): void {
  if (task === "choice" && new Set(options?.map(({ letter }) => letter)).size < 2)
    throw httpProblem(
      422,
      "wrong-usage",
      "The task `choice` needs at least two options with different letters.",
    );
  if (task === "order" && goal === undefined)
    throw httpProblem(
      422,
      "wrong-usage",
      'The task `order` needs a `goal`, for example "Make lemonade".',
    );
  if (task !== "choice" && options !== undefined)
    throw httpProblem(
      422,
      "wrong-usage",
      `The task \`${task}\` has no options. Remove them, or use the task \`choice\`.`,
    );
}
