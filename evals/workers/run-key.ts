import { hashOf } from "../../src/core/hash.ts";
import type { EvalHeader } from "../run/run-header.ts";

/** Two submitted runs with this key ask the same questions with the same settings and servers, so that they are one run. */
export function runKey(header: EvalHeader): string {
  const { benchmark, data, selection, epochs, option_orders, descriptions, settings_hash } = header;
  const { modules = [], prompts, scorers, extractor, keep_requests, versions } = header;
  const { base_url = null } = (header.settings.runtime ?? {}) as Record<string, unknown>;
  // The path of their file may differ between machines, and the same path may hold other servers.
  const mcp = (header.mcp ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return hashOf({
    servers: { base_url, mcp },
    ...{ benchmark, selection, epochs, descriptions, settings_hash, prompts, scorers, extractor },
    option_orders: option_orders ?? 1,
    data: { hash: data.hash, subset: data.subset, load: data.load ?? {} },
    modules: modules.map(({ sha256 }) => sha256).sort(),
    keep_requests: keep_requests === true,
    version: versions["video-rrd"],
  });
}
