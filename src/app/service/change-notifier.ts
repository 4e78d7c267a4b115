/** Lets streams sleep until something happens to what they show. */
export function createWakes() {
  const sleepers = new Map<string, Set<() => void>>();
  let closed = false;

  return {
    /** Something happened to `id`. */
    wake(id: string): void {
      for (const rise of [...(sleepers.get(id) ?? [])]) rise();
    },
    /** Sleeps from the moment of the call until `id` is woken, the time is up, or the signal says so. */
    sleep(id: string, ms: number, signal: AbortSignal): Promise<void> {
      if (closed || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const all = sleepers.get(id) ?? new Set();
        sleepers.set(id, all);
        const rise = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", rise);
          all.delete(rise);
          if (all.size === 0 && sleepers.get(id) === all) sleepers.delete(id);
          resolve();
        };
        const timer = setTimeout(rise, ms);
        signal.addEventListener("abort", rise, { once: true });
        all.add(rise);
      });
    },
    /** Wakes everybody for good. */
    close(): void {
      closed = true;
      for (const all of sleepers.values()) for (const rise of [...all]) rise();
    },
    isClosed: () => closed,
  };
}

export type Wakes = ReturnType<typeof createWakes>;
