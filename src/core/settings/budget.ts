import { z } from "zod";
import type { Role } from "../events.ts";
import { settingMeta } from "./setting-meta.ts";

const ceiling = (flag: string, what: string) =>
  z
    .number()
    .nonnegative()
    .nullable()
    .default(null)
    .describe(what)
    .meta(settingMeta({ flag, caller: true, ceiling: true }));

/** Expected tokens of a reply, by role; null: the setting for all roles, else a quarter of `max_tokens`. */
export const expectedTokens = (flag: string, whose: string, role?: Role, added?: boolean) =>
  z
    .int()
    .min(1)
    .max(262_144)
    .nullish()
    .describe(whose)
    .meta(settingMeta({ flag, reserves: role, added }));

/** Limits of one question, and the tokens reserved before a call. */
export const BudgetSettings = z.strictObject({
  calls: ceiling("call-limit", "model calls a question may make; null: no limit"),
  frames: ceiling("frame-limit", "frames a question may send; null: no limit"),
  tokens: ceiling("token-limit", "tokens a question may use; null: no limit"),
  seconds: ceiling(
    "time-limit",
    "seconds after which a question makes no new call; null: no limit",
  ),
  cost: ceiling("cost-limit", "dollars a question may cost; null: no limit"),
  expected_output: expectedTokens(
    "expected-output",
    "tokens that a budget reserves for each reply; default: a quarter of --max-tokens",
  ),
});
