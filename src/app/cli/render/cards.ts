import type { TitleCards } from "../../../../tools/video/title-cards.ts";
import { clock } from "../../../core/time.ts";
import { table } from "../output.ts";

/** The title cards of a video and the clip after each. */
export function renderCards({ cards, clips, notes }: TitleCards): string {
  const told = notes.map((note) => `note: ${note}`);
  if (cards.length === 0)
    return [
      "No title cards found. A card shows only `Clip N` in light letters, centred on black, for 0.4 s or longer.",
      ...told,
    ].join("\n");
  const rows = cards.map((card) => {
    const clip = clips.find(
      (item) => item.start_s >= card.end_s - 1e-6 && item.clip === card.number,
    );
    return [
      `Clip ${card.number}`,
      `${card.start_s.toFixed(3)} - ${card.end_s.toFixed(3)} s`,
      clip === undefined
        ? "-"
        : `${clip.start_s.toFixed(3)} - ${clip.end_s.toFixed(3)} s (${clock(clip.start_s)})`,
    ];
  });
  return [table([["", "card", "clip"], ...rows]), ...told].join("\n");
}
