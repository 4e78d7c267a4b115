/** Counts the tasks in each stage, and tells whenever that changes. */
export function stageCounter<T>(tell?: (counts: ReadonlyMap<string, number>) => void): {
  change(task: T, stage: string, state: "start" | "end"): void;
  leave(task: T): void;
} {
  const active = new Map<T, Set<string>>();
  const counts = new Map<string, number>();
  const count = (stage: string, by: 1 | -1) => {
    const tasks = (counts.get(stage) ?? 0) + by;
    if (tasks === 0) counts.delete(stage);
    else counts.set(stage, tasks);
  };
  const changed = () => tell?.(new Map(counts));
  return {
    change(task, stage, state) {
      const stages = active.get(task) ?? new Set();
      active.set(task, stages);
      if (state === "start" && !stages.has(stage)) {
        stages.add(stage);
        count(stage, 1);
      }
      if (state === "end" && stages.delete(stage)) count(stage, -1);
      changed();
    },
    leave(task) {
      for (const stage of active.get(task) ?? []) count(stage, -1);
      active.delete(task);
      changed();
    },
  };
}
