import { Failure } from "../src/core/errors.ts";
import type { Task } from "../src/core/shapes.ts";
import { strategies } from "./define-strategy.ts";

const ASKS: Readonly<Record<Task, string>> = {
  order: "for the order of clips",
  choice: "that choose from options",
  open: "without options",
};

/** Whether a strategy answers questions of a task. */
export function answersTask(strategy: string, task: Task): boolean {
  return strategies.get(strategy).tasks.includes(task);
}

/** Throws `Failure` `wrong-usage` for a strategy that answers no questions of the task, naming those that do. */
export function requireTask(strategy: string, task: Task): void {
  if (answersTask(strategy, task)) return;
  const answered = strategies.get(strategy).tasks.map((own) => `those ${ASKS[own]}`);
  const fit = strategies.all().filter(({ tasks }) => tasks.includes(task));
  throw new Failure(
    "wrong-usage",
    `The strategy ${strategy} answers no questions ${ASKS[task]}, only ${answered.join(" and ")}: choose another one, such as ${fit.map(({ name }) => name).join(", ")}.`,
    { strategy, task },
  );
}
