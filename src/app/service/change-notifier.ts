/** Lets event streams wait until what they show changes. */
export function createChangeNotifier() {
  const waiters = new Map<string, Set<() => void>>();
  let closed = false;

  return {
    /** Resolves every `wait` for `id`. */
    notify(id: string): void {
      for (const wake of [...(waiters.get(id) ?? [])]) wake();
    },
    /** Resolves at the next `notify` for `id`, after `ms`, or when the signal is aborted. */
    wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
      if (closed || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const all = waiters.get(id) ?? new Set();
        waiters.set(id, all);
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
          all.delete(wake);
          if (all.size === 0 && waiters.get(id) === all) waiters.delete(id);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        signal.addEventListener("abort", wake, { once: true });
        all.add(wake);
      });
    },
    /** Resolves every current and later `wait`. */
    close(): void {
      closed = true;
      for (const all of waiters.values()) for (const wake of [...all]) wake();
    },
    isClosed: () => closed,
  };
}

export type ChangeNotifier = ReturnType<typeof createChangeNotifier>;
