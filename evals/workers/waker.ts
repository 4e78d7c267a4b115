/** Lets a loop wait until something happens, or for a time. What happens before the loop waits is not missed. */
export interface Waker {
  wake(): void;
  wait(most_ms: number): Promise<void>;
}

export function createWaker(): Waker {
  let awake = false;
  let resume: (() => void) | undefined;
  return {
    wake() {
      awake = true;
      resume?.();
    },
    async wait(most_ms) {
      if (!awake)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, most_ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      awake = false;
      resume = undefined;
    },
  };
}
