import type { UploadRow } from "../../core/contracts.ts";
import type { Question } from "../../core/shapes.ts";
import { refuse } from "./problems.ts";

/* What can be asked, and of what. */

export function videoOf({ video }: UploadRow): string {
  if (video !== null) return video.hash;
  throw refuse(409, "incomplete", "Expected a whole video, but parts of it are missing.");
}

/** What the graphs would refuse later is said before the question is queued. */
export function checkTask({ task, options, goal }: Question): void {
  if (task === "choice" && new Set(options?.map(({ letter }) => letter)).size < 2)
    throw refuse(422, "wrong-usage", "Expected at least two options with letters of their own.");
  if (task === "order" && goal === undefined)
    throw refuse(
      422,
      "wrong-usage",
      "Expected a goal, such as Make lemonade, with the task order.",
    );
  if (task !== "choice" && options !== undefined)
    throw refuse(422, "wrong-usage", `Expected no options with the task ${task}.`);
}
