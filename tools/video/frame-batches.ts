import type { FrameRef } from "../../src/core/shapes.ts";
import { type FrameTable, frameOf } from "../../src/media/frame-table.ts";

/** Time in which requests join a batch. Their stored results are looked up meanwhile. */
const JOIN_MS = 10;

/**
 * Returns a function that decodes frames at the times of frames of a table, together with those that others request
 * soon after at the same size. It returns undefined if a frame cannot be decoded, so that the caller decodes its own
 * frames and receives their failure.
 */
export function createFrameBatches<Size extends object>(
  table: FrameTable,
  decode: (times_s: number[], size: Size) => Promise<FrameRef[]>,
): (times_s: readonly number[], size: Size) => Promise<FrameRef[] | undefined> {
  const open = new Map<string, { times: Set<number>; decoded: Promise<Map<number, FrameRef>> }>();
  return async (times_s, size) => {
    const key = JSON.stringify(size);
    let batch = open.get(key);
    if (batch === undefined) {
      const times = new Set<number>();
      const decoded = new Promise((joined) => setTimeout(joined, JOIN_MS)).then(async () => {
        open.delete(key);
        const frames = await decode([...times], size);
        return new Map(frames.map((frame) => [frameOf(table, frame.t_s), frame]));
      });
      batch = { times, decoded };
      open.set(key, batch);
    }
    for (const t_s of times_s) batch.times.add(t_s);
    const decoded = await batch.decoded.catch(() => new Map<number, FrameRef>());
    const frames = times_s.map((t_s) => decoded.get(frameOf(table, t_s)));
    return frames.every((frame) => frame !== undefined) ? frames : undefined;
  };
}
