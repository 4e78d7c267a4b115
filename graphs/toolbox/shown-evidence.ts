import { type EvidenceNames, makeEvidence } from "../../src/core/evidence.ts";
import type { Box, Evidence, FrameRef } from "../../src/core/shapes.ts";
import type { ShownFrame } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { sharesOf } from "../stages/named-evidence.ts";

/** Pictures that show only a part of their frames, and the tool that made them. */
export interface FramePart {
  /** In pixels of the upright frame. */
  box: Box;
  tool: string;
}

/** Evidence that a search has shown so far. */
export interface ShownState {
  evidence: readonly Evidence[];
  /** Ids of the evidence in the order in which it was first shown: the first is always `E1`. */
  shown: readonly string[];
  /** Frames shown since the last call of the model, which the next call counts. */
  fresh: readonly ShownFrame[];
  /** Ids of the pictures shown last. */
  pictured: readonly string[];
}

/** The evidence shown to the model in one turn: names each item and counts frames against the budget. */
export interface ShownEvidence {
  /** `E7`; the same item keeps its name for the whole search. */
  name(item: Evidence): string;
  /** How many of these frames may be shown. Fewer than requested counts as a reached limit. */
  allow(frames: number): number;
  /** Frames that may still be shown; infinite without a limit. */
  room(): number;
  /** `room` in words for the model. */
  left(): string;
  /** Counts pictures that are not frames of the video, and so no evidence. */
  count(pictures: number): void;
  /** Counts frames that will be shown, and adds them to the evidence. */
  frames(frames: readonly FrameRef[], part?: FramePart): Evidence[];
  /** `evidence` contains only new items. */
  update(): { evidence: Evidence[]; shown: string[]; fresh: ShownFrame[]; pictured: string[] };
}

/** `kept`: frames of the budget that are reserved for a later call. */
export function trackShownEvidence(
  state: ShownState,
  { ledger, video }: Pick<GraphContext, "ledger" | "video">,
  kept = 0,
): ShownEvidence {
  const shown = [...state.shown];
  const known = new Set(state.evidence.map((item) => item.id));
  const found: Evidence[] = [];
  const fresh: ShownFrame[] = [...state.fresh];
  const pictured: string[] = [];

  function room(): number {
    const { frames } = ledger.left();
    return frames === null ? Number.POSITIVE_INFINITY : Math.max(0, frames - kept - fresh.length);
  }

  return {
    name(item) {
      if (!known.has(item.id)) {
        known.add(item.id);
        found.push(item);
      }
      if (!shown.includes(item.id)) shown.push(item.id);
      return `E${shown.indexOf(item.id) + 1}`;
    },
    allow(wanted) {
      const allowed = Math.min(wanted, room());
      if (allowed < wanted) {
        // Reserved only so that the ledger records which limit was met.
        const frames = wanted + kept + fresh.length;
        const booked = ledger.reserve({ calls: 0, frames, tokens: 0, cost: null });
        if ("release" in booked) booked.release();
      }
      return allowed;
    },
    room,
    left: () => (Number.isFinite(room()) ? String(room()) : "any number"),
    count(pictures) {
      const booked = ledger.reserve({ calls: 0, frames: pictures, tokens: 0, cost: null });
      if ("settle" in booked) booked.settle({ calls: 0, frames: pictures, tokens: 0, cost: 0 });
    },
    frames(frames, part) {
      fresh.push(...frames.map(({ hash, t_s }) => ({ hash, t_s })));
      return frames.map((frame) => {
        const item = frameEvidence(frame, part, video.probe.video);
        pictured.push(item.id);
        return item;
      });
    },
    update: () => ({
      evidence: found,
      shown,
      fresh,
      pictured: pictured.length > 0 ? pictured : [...state.pictured],
    }),
  };
}

/** The names that the model was given, by id of evidence. `shown`: ids in the order in which they were first shown. */
export function namesOf(shown: readonly string[]): EvidenceNames {
  return Object.fromEntries(shown.map((id, place) => [id, `E${place + 1}`]));
}

/** Those of `ids` that are pictures without words, which a call without pictures does not send. */
export function framesAmong(ids: readonly string[], evidence: readonly Evidence[]): string[] {
  const frames = new Set(evidence.flatMap(({ id, kind }) => (kind === "frame" ? id : [])));
  return ids.filter((id) => frames.has(id));
}

function frameEvidence(
  frame: FrameRef,
  part: FramePart | undefined,
  whole: { width: number; height: number } | null,
): Evidence {
  const shares = part === undefined || whole === null ? {} : { shares: sharesOf(part.box, whole) };
  return makeEvidence({
    video: frame.video,
    kind: "frame",
    start_s: frame.t_s,
    end_s: frame.t_s,
    text: "",
    frame,
    ...(part === undefined ? {} : { box: part.box, data: shares }),
    by: { who: "tool", name: part?.tool ?? "frames" },
    confidence: null,
    from: [],
  });
}
