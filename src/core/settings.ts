/*
 * Settings. `settings/schema.ts` holds the shared groups; `assemble.ts` adds the groups of single strategies;
 * `list-settings.ts` lists every setting for flags and grids; `read.ts` validates input; `resolve.ts` fills in the
 * strategy's defaults.
 */

export {
  isSharedGroup,
  ownSettings,
  settingGroups,
  settingSchema,
  storedSettings,
} from "./settings/assemble.ts";
export { expectedTokens } from "./settings/budget.ts";
export { HEADER_VALUE, NOT_IN_A_HEADER, readHeaders } from "./settings/headers.ts";
export {
  isReadBy,
  listSettings,
  rangeOf,
  readsSetting,
  type Setting,
  settingsOfGroup,
  setValueAt,
  valueAt,
} from "./settings/list-settings.ts";
export { readSettings } from "./settings/read.ts";
export { REASONING_METHODS } from "./settings/reasoning.ts";
export {
  hearsSpeech,
  SAMPLERS,
  type VideoSampling,
  videoSampling,
} from "./settings/recognition.ts";
export {
  defaultsOf,
  expectedOutput,
  type ResolvedSettings,
  resolveSettings,
  settingsHash,
} from "./settings/resolve.ts";
export {
  type Connections,
  connectionsOf,
  type RateLimits,
  type ReplyLimits,
  rateLimitsOf,
  replyLimitsOf,
} from "./settings/runtime.ts";
export type { Settings, SettingsInput } from "./settings/schema.ts";
export { checkTaskSettings, fitsTask, segmentationOf, windowSeconds } from "./settings/segments.ts";
export { settingMeta, type WordingDefaults } from "./settings/setting-meta.ts";
export {
  defaultStrategy,
  type SettingsReader,
  settingsReaders,
  type TaskDefaults,
} from "./settings/strategies.ts";
