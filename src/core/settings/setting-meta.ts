import type { Role } from "../events.ts";
import type { DefinitionKind } from "../registry.ts";
import type { Task } from "../shapes.ts";

/** What the wording of a benchmark decides where a setting is not set. */
export interface WordingDefaults {
  /** Whether a direct question precedes its frames if `--message-order` is not given. */
  textFirst: boolean;
  /** Whether a search starts from what earlier questions on the video found if `--recall` is not given. */
  recalls: boolean;
}

/** Metadata of a setting, in addition to its zod schema, whose description is its summary in `--help`. */
export interface SettingMeta {
  /** Name of the command-line flag, without the dashes. A strategy may omit it: `votes.rounds` is then `--votes-rounds`. */
  flag: string;
  /**
   * A request over HTTP, MCP or the page may set it. Absent: only the operator may. Never set it for commands, paths,
   * URLs, headers and modules.
   */
  caller?: true;
  /** It names the model of this role, or (`any`) of every role without its own setting. */
  role?: Role | "any";
  /**
   * It names definitions of this kind (several: with commas), for which the operator may give files. A model of a `role`
   * names its provider in any case.
   */
  names?: DefinitionKind;
  /** It is the expected number of tokens of a reply of this role. */
  reserves?: Role;
  /** Its value if it is not set and the wording of the question decides. */
  byWording?: (wording: WordingDefaults) => unknown;
  /** Only questions of these tasks read it. Absent: those of every task. */
  tasks?: readonly Task[];
  /** Every strategy reads it. Absent: the strategies whose definitions name it. */
  common?: true;
  /**
   * Added after the first version: at its default, `settingsHash` ignores it, so that the hashes of earlier runs stay
   * the same. Default: true for a setting of a single strategy.
   */
  added?: boolean;
  /** A limit: a request can only lower the operator's value. */
  ceiling?: true;
  /** The value may hold a secret and is never shown. */
  secret?: true;
  /** The flag may be given several times; the values are joined by commas. */
  repeats?: true;
  [more: string]: unknown;
}

/** Types the metadata of a setting for `.meta(...)` of its schema. */
export const settingMeta = (meta: SettingMeta) => meta;
