import type { VideoSampling } from "../core/settings.ts";
import type { Medium } from "./chat.ts";
import { providers } from "./define-provider.ts";

/**
 * Input tokens that a medium will cost; a video counts with its sound.
 * Null if the provider does not document it, or the length is not known.
 */
export function mediaTokens(
  provider: string,
  { type, seconds }: Pick<Medium, "type" | "seconds">,
  sampling: VideoSampling = {},
): number | null {
  if (seconds === undefined) return null;
  return providers.get(provider).mediaTokens?.({ type, seconds }, sampling) ?? null;
}
