/** How long uploads have made no progress. A clock that is set forwards or backwards changes nothing while this runs. */
export function createIdleTimes() {
  const seen = new Map<string, { size: number; idle_ms: number; at: number }>();
  return {
    /**
     * Milliseconds since `size` last changed. `changed_at` (milliseconds since 1970): when the last process saw it change;
     * null for what begins in this one.
     */
    of(id: string, size: number, changed_at: number | null): number {
      const now = performance.now();
      const known = seen.get(id);
      if (known?.size === size) return known.idle_ms + now - known.at;
      const isNew = known === undefined && changed_at !== null;
      // A time in the future is one from before the clock was set back.
      const idle_ms = isNew ? Math.max(0, Date.now() - changed_at) : 0;
      seen.set(id, { size, idle_ms, at: now });
      return idle_ms;
    },
    /** Forgets all but these. */
    keep(ids: ReadonlySet<string>): void {
      for (const id of seen.keys()) if (!ids.has(id)) seen.delete(id);
    },
  };
}
