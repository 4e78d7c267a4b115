/** Measures how long a task is in each stage; a stage that runs several times at once counts from the first to the last. */
export function createStageTimer<T extends object>(
  onSeconds: (stage: string, seconds: number) => void,
): (task: T, stage: string, state: "start" | "end") => void {
  const began = new WeakMap<T, Map<string, { at: number; open: number }>>();
  return (task, stage, state) => {
    const stages = began.get(task) ?? new Map<string, { at: number; open: number }>();
    began.set(task, stages);
    const one = stages.get(stage) ?? { at: performance.now(), open: 0 };
    one.open += state === "start" ? 1 : -1;
    if (one.open > 0) stages.set(stage, one);
    else if (stages.delete(stage)) onSeconds(stage, (performance.now() - one.at) / 1000);
  };
}
