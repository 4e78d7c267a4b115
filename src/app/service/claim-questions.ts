import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedQuestion, QuestionControl, Replicas } from "../../core/replicas.ts";

/** Time between two looks without a notification: for claims of processes that ended. */
const LOOK_MS = 1_000;
/** Notifications within this time count as one. */
const BURST_MS = 20;

interface Claiming {
  replicas: Replicas;
  /** How many more questions this process may run now. */
  free(): number;
  /** Questions of one owner that this process may run. */
  most: () => number;
  /** Whether questions may be claimed now. Default: always. */
  isReady?: () => Promise<boolean>;
  /** Ids of the questions that this process runs. */
  running(): string[];
  onClaim(claimed: ClaimedQuestion): Promise<void>;
  onControl(id: string, control: QuestionControl): void;
  onWaiting(count: number): void;
  onError(error: unknown): void;
}

/** Claims questions that no process of the store runs, as long as this one has a free place, and follows cancellations. */
export function claimQuestions(work: Claiming) {
  const { replicas } = work;
  const stopping = new AbortController();
  let wake: () => void = () => {};
  let isDue = false;

  async function look(): Promise<void> {
    const ids = work.running();
    if (ids.length > 0)
      for (const [id, control] of await replicas.control(ids)) work.onControl(id, control);
    while (work.free() > 0 && !stopping.signal.aborted) {
      const claimed = await replicas.claim(work.most());
      if (claimed === null) break;
      await work.onClaim(claimed);
    }
  }

  const loop = (async () => {
    let swept = Number.NEGATIVE_INFINITY;
    while (!stopping.signal.aborted) {
      isDue = false;
      try {
        const isReady = (await work.isReady?.()) ?? true;
        if (isReady || work.running().length > 0) {
          if (performance.now() - swept >= LOOK_MS) {
            await replicas.sweep();
            await replicas.keepOnly(work.running());
            work.onWaiting(await replicas.countWaiting());
            swept = performance.now();
          }
          await look();
        }
      } catch (error) {
        // The database is away: questions are claimed once it is back.
        work.onError(error);
      }
      if (isDue) await sleep(BURST_MS, undefined, { signal: stopping.signal }).catch(() => {});
      else await pause();
    }
  })();

  function pause(): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, LOOK_MS);
      wake = () => {
        clearTimeout(timer);
        done();
      };
      if (stopping.signal.aborted) wake();
    });
  }

  return {
    /** A question has changed, or a place is free. */
    wake(): void {
      isDue = true;
      wake();
    },
    async stop(): Promise<void> {
      stopping.abort();
      wake();
      await loop;
    },
  };
}
