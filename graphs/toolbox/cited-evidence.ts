import { cutText } from "../../src/core/cut-text.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { type FrameTable, frameAt } from "../../src/media/frame-table.ts";
import { frameTable } from "../../tools/video/video.ts";
import type { GraphContext } from "../context.ts";
import type { ShownState } from "./shown-evidence.ts";

/** Most seconds by which a subtitle may end after the video. */
const OVERHANG_S = 2;

type CitableState = Pick<ShownState, "evidence" | "shown"> & { unsent: readonly string[] };

/**
 * The evidence that the names in an answer cite, if it was shown in this run and lies within the video. `unsent`: ids in
 * `shown` whose pictures no call has sent.
 */
export async function citedEvidence(
  names: readonly string[],
  { evidence, shown, unsent }: CitableState,
  context: Pick<GraphContext, "video" | "job">,
): Promise<{ cites: string[]; unknown: string[]; misplaced: string[] }> {
  const table =
    context.video.probe.video === null
      ? null
      : await frameTable(context.video, context.job("check"));
  const byId = new Map(evidence.map((item) => [item.id, item]));
  const cites: string[] = [];
  const unknown: string[] = [];
  const misplaced: string[] = [];
  for (const name of new Set(names)) {
    const id = shown[Number(/^E(\d+)$/.exec(name)?.[1]) - 1] ?? "";
    const item = unsent.includes(id) ? undefined : byId.get(id);
    if (item === undefined) unknown.push(cutText(name, 40));
    else if (!isAtItsTime(item, context.video.probe.duration_s, table)) misplaced.push(name);
    else cites.push(item.id);
  }
  return { cites, unknown, misplaced };
}

/** Names without evidence, for the diagnostics of an answer. */
export function citationDiagnostics({
  unknown,
  misplaced,
}: {
  unknown: readonly string[];
  misplaced: readonly string[];
}): Record<string, unknown> {
  return {
    ...(unknown.length > 0 ? { unknown_citations: unknown } : {}),
    ...(misplaced.length > 0 ? { misplaced_citations: misplaced } : {}),
  };
}

/** Whether an item lies within the video; for a frame, whether the video has a frame at this time. */
function isAtItsTime(
  { start_s, end_s, frame, kind }: Evidence,
  duration_s: number,
  table: FrameTable | null,
): boolean {
  if (!(start_s >= 0 && start_s <= end_s && end_s <= duration_s + OVERHANG_S)) return false;
  if (kind !== "frame") return true;
  if (frame === undefined || table === null || frame.t_s !== start_s) return false;
  return Math.abs((table.pts_s[frameAt(table, start_s)] ?? Number.NaN) - start_s) < 5e-4;
}
