import type { Sessions } from "../../core/replicas.ts";

/** Sessions of one process, on the monotonic clock, so that changes of the system time do not affect them. */
export function createLocalSessions(): Sessions {
  const sessions = new Map<string, { token: string; until: number }>();
  return {
    async open(id, token, life_ms) {
      const now = performance.now();
      for (const [key, { until }] of sessions) if (until < now) sessions.delete(key);
      sessions.set(id, { token, until: now + life_ms });
    },
    async tokenOf(id) {
      const session = sessions.get(id);
      return session === undefined || session.until < performance.now() ? undefined : session.token;
    },
    async close(id) {
      sessions.delete(id);
    },
  };
}
