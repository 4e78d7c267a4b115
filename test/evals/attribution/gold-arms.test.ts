import { expect, test } from "vitest";
import { goldSweep } from "../../../evals/attribution/gold-arms.ts";
import type { GoldPlan } from "../../../evals/attribution/plan-gold.ts";
import type { SampleGold } from "../../../evals/run/gold-file.ts";
import { readSettings } from "../../../src/core/settings.ts";

/* The hash of an arm's gold: attributions with the same gold have the same, those with other gold do not. */

const INPUT = { benchmark: "vcrbench", data: "data", strategy: "rrd", model: "openai:small" };
const said = (text: string): SampleGold => ({
  captions: "oracle",
  speech: { by: "notes.srt", items: [{ start_s: 0, end_s: 2, text }] },
});

function hashes(oracle: string, text: string): Record<string, string | undefined> {
  const plan: GoldPlan = {
    stages: ["captions", "speech"],
    oracle,
    samples: { one: said(text) },
    without_gold: [],
    notes: [],
    usable: [{ id: "one" }] as GoldPlan["usable"],
  };
  const settings = readSettings({ strategy: "rrd", model: "openai:small" });
  const { cells } = goldSweep(INPUT, settings, plan);
  return Object.fromEntries(
    cells.map(({ name, input }) => [
      name,
      (input as { gold: { gold_hash?: string } }).gold.gold_hash,
    ]),
  );
}

test("another oracle model changes the hash of arms that use it, another text those of its stage", () => {
  const first = hashes("openai:large", "stir");
  const names = Object.keys(first);
  expect(names).toEqual([
    "1-recognised",
    "2-oracle",
    "3-gold-captions",
    "4-gold-speech",
    "5-gold-captions+speech",
  ]);
  expect(names.map((name) => first[name] !== undefined)).toEqual([false, false, true, true, true]);
  expect(hashes("openai:large", "stir")).toEqual(first);
  const changed = (other: Record<string, string | undefined>) =>
    names.filter((name) => other[name] !== first[name]);
  expect(changed(hashes("openai:larger", "stir"))).toEqual([
    "3-gold-captions",
    "5-gold-captions+speech",
  ]);
  expect(changed(hashes("openai:large", "pour"))).toEqual([
    "4-gold-speech",
    "5-gold-captions+speech",
  ]);
});
