/*
 * Settings: `settings/schema.ts` is the one schema, its groups beside it; `leaves.ts` lists it leaf by leaf for flags
 * and grids; `read.ts` is the border; `chosen.ts` fills in what a strategy chooses for itself.
 */

export { readHeaders } from "./settings/headers.ts";
export { STRATEGIES, type Strategy } from "./settings/leaf.ts";
export { at, put, type SettingLeaf, settingLeaves } from "./settings/list-settings.ts";
export { readSettings } from "./settings/read.ts";
export { REASONING_METHODS } from "./settings/reasoning.ts";
export {
  SAMPLERS,
  type VideoSampling,
  videoSampling,
} from "./settings/recognition.ts";
export {
  type Connections,
  connectionsOf,
  type ReplyLimits,
  replyLimitsOf,
} from "./settings/runtime.ts";
export { Settings, type SettingsInput } from "./settings/schema.ts";
export { SEARCH_TOOLS, type SearchTool, searchToolsOf } from "./settings/search.ts";
export * from "./settings/strategy-defaults.ts";
