import type { Preset } from "./preset.ts";

/** What can be answered without the video, for `marks`: each arm hides more of it from the model that answers. */
export const leaks = {
  name: "leaks",
  summary: "what can be answered from the question, the options or captions, for `marks`",
  sweep: {
    name: "leaks",
    arms: [
      { name: "blind", settings: { strategy: "blind" } },
      { name: "options-only", settings: { strategy: "options-only" } },
      {
        name: "captions-only",
        settings: {
          strategy: "rrd",
          recognition: { subtitles: "off", ocr: "off", speech: "off" },
          reasoning: { input: "text", mathematics: "off" },
        },
      },
    ],
    remarks: [
      "blind: question and options. options-only: the options, without the question. captions-only: question, options and captions of the clips, without pictures.",
    ],
  },
} as const satisfies Preset;
