import { z } from "zod";
import { ownSettings, settingMeta } from "../../src/core/settings.ts";
import { defineStrategy, strategyThat } from "../define-strategy.ts";
import { ASKS_WITH_VIDEO } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";

const Consistency = z.strictObject({
  samples: z
    .int()
    .min(2)
    .max(99)
    .default(5)
    .describe("most calls whose answers vote; calls stop when the vote is decided")
    .meta(settingMeta({ flag: "samples-to-vote", caller: true })),
  temperature: z
    .number()
    .gt(0)
    .max(2)
    .default(0.7)
    .describe("sampling temperature of these calls")
    .meta(settingMeta({ flag: "vote-temperature", caller: true })),
});

const consistencyOf = ownSettings("consistency", Consistency);

const { plan, graph: _graph, ...oneCall } = singleCall("video");

const asked = () =>
  strategyThat(
    "that asks everything in one call",
    ({ approach, shows, name }) =>
      approach === "single-call" && shows === "video" && name !== selfConsistency.name,
  );

/** Self-consistency (Wang et al. 2023, arXiv 2203.11171) over the baseline of one call. */
export const selfConsistency = defineStrategy({
  name: "self-consistency",
  summary: "Asks in one call several times, and takes the most frequent answer.",
  ...oneCall,
  reads: ASKS_WITH_VIDEO,
  settings: { consistency: Consistency },
  temperature: (settings) => consistencyOf(settings).temperature,
  defaults: () => ({ "recognition.input": "whole-video" }),
  plan: (settings, question, shown) =>
    plan(settings, question, shown).map((stage) => {
      const { samples } = consistencyOf(settings);
      return { ...stage, calls: samples, frames: samples * stage.frames, exact: false };
    }),
  run: async (question, context) =>
    (await import("./vote.ts")).askUntilDecided(question, context, {
      ...consistencyOf(context.settings),
      strategy: asked().name,
    }),
});
