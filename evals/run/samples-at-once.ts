import { availableParallelism } from "node:os";
import { needsModel } from "../../graphs/define-strategy.ts";
import { connectionsOf, type Settings } from "../../src/core/settings.ts";

/** A quarter more than the calls in flight, so that the next frames are made while calls are waited for. */
export function samplesAtOnce(settings: Settings): number {
  if (!needsModel(settings.strategy)) return availableParallelism();
  return Math.ceil(connectionsOf(settings.runtime).max * 1.25);
}
