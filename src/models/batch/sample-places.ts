import { AsyncLocalStorage } from "node:async_hooks";

/*
 * Samples of a run whose calls wait for a batch. A sample that waits gives its place to another one, so that all samples
 * of a run can wait at once while only some work on this machine.
 */

interface Sample {
  /** It has a place: it may work. */
  holds: boolean;
  /** It asked for a place again. */
  getting: Promise<void> | null;
  /** It needs no place any more, even if one of its calls is still waited for. */
  ended: boolean;
}

export interface SamplePlaces {
  /** Runs the work of one sample once there is a place. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Awaits something that may take hours; the sample around it gives its place away meanwhile. */
  waiting<T>(promise: Promise<T>): Promise<T>;
  /** Whether no sample works or wants to. */
  isIdle(): boolean;
}

/** A shorter wait, such as for a stored reply, keeps its place. */
const SHORT_MS = 50;

/** @param width samples that work at once */
export function createSamplePlaces(width: number): SamplePlaces {
  const current = new AsyncLocalStorage<Sample>();
  const queue: (() => void)[] = [];
  let working = 0;

  function acquire(): Promise<void> {
    if (working < width) {
      working++;
      return Promise.resolve();
    }
    return new Promise((begin) => queue.push(begin));
  }

  function release(): void {
    const next = queue.shift();
    if (next === undefined) working--;
    else next();
  }

  function giveAway(sample: Sample): void {
    if (!sample.holds) return;
    sample.holds = false;
    release();
  }

  function takeAgain(sample: Sample): Promise<void> {
    if (sample.holds || sample.ended) return Promise.resolve();
    sample.getting ??= acquire().then(() => {
      sample.holds = true;
      sample.getting = null;
    });
    return sample.getting;
  }

  return {
    async run(work) {
      await acquire();
      const sample: Sample = { holds: true, getting: null, ended: false };
      try {
        return await current.run(sample, work);
      } finally {
        sample.ended = true;
        await sample.getting;
        giveAway(sample);
      }
    },
    async waiting(promise) {
      const sample = current.getStore();
      if (sample === undefined) return promise;
      let left = false;
      const timer = setTimeout(() => {
        left = true;
        giveAway(sample);
      }, SHORT_MS);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        if (left) await takeAgain(sample);
      }
    },
    isIdle: () => working === 0,
  };
}
