import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Measured } from "./sampler.ts";

/** Measures a service from a separate thread. */
export function watchService(pid: number, url: string, bar_ms: number) {
  const worker = new Worker(new URL("./sampler.ts", import.meta.url), {
    workerData: { pid, url, bar_ms },
  });
  const answer = async (word: "begin" | "end") => {
    const heard = once(worker, "message");
    worker.postMessage(word);
    return (await heard)[0] as unknown;
  };
  return {
    /** The measurements while `work` ran. */
    async during(work: () => Promise<unknown>): Promise<Measured> {
      await answer("begin");
      try {
        await work();
      } catch (error) {
        await answer("end");
        throw error;
      }
      return (await answer("end")) as Measured;
    },
    close: () => worker.terminate(),
  };
}

/** The model server of the attacks, and the models called since the previous read. */
export async function startAttackModel() {
  const worker = new Worker(new URL("./attack-model.ts", import.meta.url));
  const [origin] = (await once(worker, "message")) as [string];
  return {
    url: `${origin}/v1`,
    async seen(): Promise<string[]> {
      const heard = once(worker, "message");
      worker.postMessage("seen");
      return (await heard)[0] as string[];
    },
    close: () => worker.terminate(),
  };
}
