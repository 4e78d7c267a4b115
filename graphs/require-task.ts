import { Failure } from "../src/core/errors.ts";
import type { Settings } from "../src/core/settings.ts";
import type { Task } from "../src/core/shapes.ts";
import { providers } from "../src/models/define-provider.ts";
import { needsModel, standard, strategies } from "./define-strategy.ts";

const ASKS: Readonly<Record<Task, string>> = {
  order: "for the order of clips",
  choice: "that choose from options",
  open: "without options",
};

/** Whether a strategy answers questions of a task. */
export function answersTask(strategy: string, task: Task): boolean {
  return strategies.get(strategy).tasks.includes(task);
}

/**
 * Throws `Failure` `wrong-usage` if the strategy of the settings answers no questions of the task, naming those that do;
 * without a model, those that need none.
 */
export function requireTask(
  { strategy, model }: Pick<Settings, "strategy" | "model">,
  task: Task,
): void {
  if (answersTask(strategy, task)) return;
  const answered = strategies.get(strategy).tasks.map((own) => `those ${ASKS[own]}`);
  const fit = strategies.names().filter((name) => answersTask(name, task));
  throw new Failure(
    "wrong-usage",
    `The strategy ${strategy} answers no questions ${ASKS[task]}, only ${answered.join(" and ")}: ${model === null ? withoutModel(fit) : `choose another one, such as ${fit.join(", ")}`}.`,
    { strategy, task },
  );
}

function withoutModel(fit: readonly string[]): string {
  const pass = `pass --model, for example --model ${providers.all()[0]?.example}, with the strategy ${standard("with-model").name}`;
  const free = fit.filter((name) => !needsModel(name));
  return free.length === 0 ? pass : `${pass}; without a model only ${free.join(" and ")} can`;
}
