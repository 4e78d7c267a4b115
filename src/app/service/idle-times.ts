/** Tracks how long uploads make no progress. Changes of the system clock have no effect while the process runs. */
export function createIdleTimes() {
  const seen = new Map<string, { size: number; idle_ms: number; at: number }>();
  return {
    /**
     * Milliseconds since `size` last changed. `changed_at` (milliseconds since 1970): the last change before this process
     * started; null for an upload that started in it.
     */
    of(id: string, size: number, changed_at: number | null): number {
      const now = performance.now();
      const known = seen.get(id);
      if (known?.size === size) return known.idle_ms + now - known.at;
      const isNew = known === undefined && changed_at !== null;
      // `changed_at` is in the future if the clock was set back.
      const idle_ms = isNew ? Math.max(0, Date.now() - changed_at) : 0;
      seen.set(id, { size, idle_ms, at: now });
      return idle_ms;
    },
    /** Drops all other ids. */
    keep(ids: ReadonlySet<string>): void {
      for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
    },
  };
}
