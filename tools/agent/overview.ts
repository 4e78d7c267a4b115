import { z } from "zod";
import type { Evidence } from "../../src/core/shapes.ts";
import type { OverviewSpec } from "../video/overview.ts";
import { defineTool } from "./define-tool.ts";
import { frameSize } from "./look.ts";
import { FROM_S_OR_START, TO_S_OR_END } from "./parameters.ts";

/** Frames that a further overview leaves for looking closer at what it shows. */
const KEPT_FOR_LOOKS = 3;

export const overview = defineTool({
  name: "overview",
  description: new URL("./overview.md", import.meta.url),
  parameters: z.object({ from_s: FROM_S_OR_START, to_s: TO_S_OR_END }),
  needs: ["pictures"],
  cost: {
    frames(_given, { evidence, overviewFrames, framesLeft }) {
      if (!evidence.some(isFrame)) return overviewFrames;
      return Math.min(Math.ceil(overviewFrames / 2), Math.max(1, framesLeft() - KEPT_FOR_LOOKS));
    },
  },
  atStart: true,
  varies: ({ evidence }) => evidence.filter(isFrame).length,
  async run({ from_s, to_s }, { video, settings, evidence, allowed, job }) {
    const spec: OverviewSpec = {
      count: allowed,
      from_s: from_s ?? undefined,
      to_s: to_s ?? undefined,
      // A further overview shows what was not shown yet.
      shown_s: evidence.filter(isFrame).map((item) => item.start_s),
      ...frameSize(settings),
    };
    const { overviewSheets } = await import("../video/overview.ts");
    const { sheets } = await overviewSheets(video, spec, job);
    return { type: "sheets", sheets };
  },
});

function isFrame({ kind, box }: Evidence): boolean {
  return kind === "frame" && box === undefined;
}
