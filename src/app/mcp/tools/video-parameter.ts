import { z } from "zod";
import type { McpHost } from "../host.ts";

/** The parameter that names a video. */
export function videoParameter({ videoHint }: Pick<McpHost, "videoHint">) {
  return z.string().min(1).max(4096).describe(videoHint);
}
