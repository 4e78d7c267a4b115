import { parentPort } from "node:worker_threads";
import { ComputeEngine } from "@cortex-js/compute-engine";
import { isFailure, oneLine } from "../../src/core/errors.ts";
import { compareAll, holds } from "./compare-values.ts";
import type { Replies, Task } from "./engine-tasks.ts";
import { evaluateExpression } from "./evaluate-expression.ts";
import { solveEquations } from "./solve-equations.ts";

/*
 * The thread of the engine. It runs one task at a time, each from the same clean state, so that names and declarations
 * of an expression do not affect the next one.
 */

export interface TaskRequest {
  id: number;
  task: Task;
}
/** `ready` is sent once, when the engine is loaded and warm. */
export type ThreadReply =
  | { ready: true }
  | { id: number; result: Replies[Task["do"]] }
  | { id: number; refused: string };

const port = parentPort;
if (port !== null) {
  const engine = new ComputeEngine();
  cleanly(engine, () => evaluateExpression(engine, "\\frac{1}{2}+\\sqrt{2}", {}));
  cleanly(engine, () => evaluateExpression(engine, "\\lim_{x\\to 0}\\frac{\\sin(2x)}{x}", {}));
  cleanly(engine, () => solveEquations(engine, ["x^2+x=2"], ["x"], {}));
  port.on("message", ({ id, task }: TaskRequest) => {
    port.postMessage(tell(engine, id, task));
  });
  port.postMessage({ ready: true } satisfies ThreadReply);
}

function tell(engine: ComputeEngine, id: number, task: Task): ThreadReply {
  try {
    return { id, result: cleanly(engine, () => perform(engine, task)) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return {
      id,
      refused: isFailure(error) ? said : `The engine could not calculate this: ${oneLine(said)}.`,
    };
  }
}

function perform(engine: ComputeEngine, task: Task): Replies[Task["do"]] {
  switch (task.do) {
    case "calculate":
      return evaluateExpression(engine, task.latex, task.bindings);
    case "solve":
      return solveEquations(engine, task.equations, task.unknowns, task.bindings);
    case "holds":
      return holds(engine, task.relation, task.bindings);
    case "compare":
      return compareAll(engine, task.json, task.candidates);
  }
}

function cleanly<T>(engine: ComputeEngine, work: () => T): T {
  const clean = engine.checkpoint();
  try {
    return work();
  } finally {
    engine.restore(clean);
  }
}
