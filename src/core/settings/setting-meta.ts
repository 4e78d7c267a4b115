import type { Role } from "../events.ts";

/** What a setting says about itself, in addition to its zod schema, whose description is its summary for a person. */
export interface SettingMeta {
  /** Name of its command-line flag, without the dashes. */
  flag: string;
  /**
   * A request over HTTP, MCP or the page may set it. Absent: only whoever runs the program. Commands, paths, URLs, headers
   * and modules are never a caller's.
   */
  caller?: true;
  /** It names the model of this role, or (`any`) of each role without a setting of its own. */
  role?: Role | "any";
  /** It is the number of tokens that a reply of this role is expected to have. */
  reserves?: Role;
  /** Every strategy reads it. Absent: those whose definitions name it. */
  common?: true;
  /**
   * Added after the first version: at its default it is left out of `settingsHash`, so that earlier runs keep theirs.
   * Default: true for a setting that belongs to one strategy.
   */
  added?: boolean;
  /** A limit: a request can only lower what the operator sets. */
  ceiling?: true;
  /** What was given may hold a secret and is never shown. */
  secret?: true;
  /** The flag may be given several times; the values are joined by commas. */
  repeats?: true;
  [more: string]: unknown;
}

export const settingMeta = (meta: SettingMeta) => meta;
