import "../../../src/app/registry.ts";
import { joinSharedCap } from "../../../src/core/shared-cap.ts";
import { PATIENCE } from "../../../src/models/patience.ts";
import { openStore } from "../../../src/storage/open.ts";
import { ask, rig } from "../setup.ts";

/* A process that calls a model through a store as its parent says: `fork("caller.ts", [FOLDER, ADDRESS, CLOCK_MS])`. */

/** Calls that are made at the same time, each with a question of its own, by the limits of a run. */
export interface Job {
  url: string;
  run: string;
  questions: string[];
  runtime: Record<string, unknown>;
  maxTokens: number;
}

/** The outcome of each call: its status, or the kind of its failure. `waited_s`: summed over the calls. */
export interface Outcome {
  outcomes: string[];
  waited_s: number;
}

const [folder = "", address = "", clock_ms = "0"] = process.argv.slice(2);
const { now } = Date;
Date.now = () => now() + Number(clock_ms);
const store = await openStore(folder, address);
process.on("message", async ({ url, run, questions, runtime, maxTokens }: Job) => {
  const cap = await joinSharedCap(store, run);
  const { models, calls } = rig({ url }, "openai:gpt-4.1", {
    store,
    run,
    runtime,
    cap,
    patience: PATIENCE,
  });
  const ended = await Promise.allSettled(
    questions.map((question) => models.call(ask([question], { maxTokens }))),
  );
  const outcome: Outcome = {
    outcomes: ended.map((one) =>
      one.status === "fulfilled" ? one.value.status : String(one.reason.kind),
    ),
    waited_s: calls.reduce((sum, { waited_s = 0 }) => sum + waited_s, 0),
  };
  process.send?.(outcome);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
