interface QueueEntry {
  owner: string;
  begin: () => void;
  drop: () => void;
}

export interface FairQueue {
  /** Runs `work` when a place is free and returns when it has ended. If the queue is cleared, returns without running it. */
  add(owner: string, work: () => Promise<void>): Promise<void>;
  /** Nothing runs before this call. */
  start(): void;
  /** Drops all waiting entries. */
  clear(): void;
  running(): number;
  waiting(): number;
}

/**
 * A queue with `places` places that several owners share. The next free place goes to the owner with the fewest running
 * entries; ties go to the entry that was added first. One owner gets at most `most` places, so that work that hangs does
 * not block other owners.
 */
export function createFairQueue(places: number, most: number): FairQueue {
  const line: QueueEntry[] = [];
  const running = new Map<string, number>();
  let taken = 0;
  let isStarted = false;
  const of = (owner: string) => running.get(owner) ?? 0;

  function next(): QueueEntry | undefined {
    let best: QueueEntry | undefined;
    for (const one of line)
      if (of(one.owner) < most && (best === undefined || of(one.owner) < of(best.owner)))
        best = one;
    return best;
  }

  function admit(): void {
    while (isStarted && taken < places) {
      const one = next();
      if (one === undefined) return;
      line.splice(line.indexOf(one), 1);
      taken++;
      running.set(one.owner, of(one.owner) + 1);
      one.begin();
    }
  }

  function leave(owner: string): void {
    taken--;
    const left = of(owner) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    admit();
  }

  return {
    async add(owner, work) {
      const isAdmitted = await new Promise<boolean>((done) => {
        line.push({ owner, begin: () => done(true), drop: () => done(false) });
        admit();
      });
      if (!isAdmitted) return;
      try {
        await work();
      } finally {
        leave(owner);
      }
    },
    start() {
      isStarted = true;
      admit();
    },
    clear() {
      for (const { drop } of line.splice(0)) drop();
    },
    running: () => taken,
    waiting: () => line.length,
  };
}
