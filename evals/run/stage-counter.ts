/** Counts the tasks in each stage, and tells whenever that changes. */
export function stageCounter<T>(tell?: (counts: ReadonlyMap<string, number>) => void): {
  change(task: T, stage: string, state: "start" | "end"): void;
  leave(task: T): void;
} {
  const active = new Map<T, Set<string>>();
  const changed = () => {
    if (tell === undefined) return;
    const all = [...active.values()].flatMap((stages) => [...stages]);
    const counted = Map.groupBy(all, (stage) => stage);
    tell(new Map([...counted].map(([name, samples]) => [name, samples.length])));
  };
  return {
    change(task, stage, state) {
      const stages = active.get(task) ?? new Set();
      active.set(task, stages);
      if (state === "start") stages.add(stage);
      else stages.delete(stage);
      changed();
    },
    leave(task) {
      active.delete(task);
      changed();
    },
  };
}
