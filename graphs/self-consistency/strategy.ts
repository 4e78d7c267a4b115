import { z } from "zod";
import { ownSettings, settingMeta } from "../../src/core/settings.ts";
import { voteOf } from "../ask-samples.ts";
import type { StrategyAnswer } from "../context.ts";
import { defineStrategy, strategyThat } from "../define-strategy.ts";
import { ASKS_WITH_VIDEO } from "../settings-read.ts";
import { singleCall } from "../single-call.ts";
import { allSettledOrThrow } from "../stage.ts";
import { ballotsToDecide } from "./ballots-to-decide.ts";

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
  defaults: () => ({ "recognition.input": "whole-video" }),
  plan: (settings, question, shown) =>
    plan(settings, question, shown).map((stage) => {
      const { samples } = consistencyOf(settings);
      return { ...stage, calls: samples, frames: samples * stage.frames, exact: false };
    }),
  async run(question, context) {
    const { samples, temperature } = consistencyOf(context.settings);
    const { name } = asked();
    const settings = { "reasoning.temperature": temperature };
    const drawn: StrategyAnswer[] = [];
    const vote = () =>
      voteOf(
        drawn.map(({ answer }) => answer),
        question.task,
      );
    for (let next = ballotsToDecide(vote(), samples); next > 0; ) {
      const first = drawn.length;
      const asking = Array.from({ length: next }, (_, place) =>
        context.ask(name, { draw: first + place, settings }),
      );
      drawn.push(...(await allSettledOrThrow(asking)));
      // A spent budget refuses every further call.
      next = context.ledger.met().length > 0 ? 0 : ballotsToDecide(vote(), samples);
    }
    const { number, share, answer, votes, cast } = vote();
    const winner = drawn[(number ?? 1) - 1] as StrategyAnswer;
    const { diagnostics } = winner.answer;
    return {
      ...winner,
      answer: {
        ...winner.answer,
        diagnostics: { ...diagnostics, vote: { votes, cast, samples: drawn.length } },
        ...(answer === null
          ? { confidence: null, confidence_basis: null }
          : {
              confidence: share,
              confidence_basis: `the share of ${drawn.length} calls that gave this answer (majority vote); uncalibrated`,
            }),
      },
    };
  },
});
