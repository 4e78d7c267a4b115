import { z } from "zod";
import { BoxInput } from "../video/box.ts";

/*
 * Parameters that several tools have. Seconds count from the start of the container.
 */

export const Time = z.number().min(0);

export const AT_S = Time.describe("time of the frame, in seconds");
export const FROM_S = Time.describe("start of the part of the video, in seconds");
export const TO_S = Time.describe("end of the part of the video, in seconds");

/** Both ends of a part that need not be given. */
export const FROM_S_OR_START = Time.nullish().describe(
  "start of the part of the video, in seconds; not given: its start",
);
export const TO_S_OR_END = Time.nullish().describe(
  "end of the part of the video, in seconds; not given: its end",
);

/** Four numbers of at most 1 are shares of the frame; see `BoxInput`. */
export const BOX = BoxInput.describe(
  "part of the frame: x and y of its top left corner, width and height, as shares of the frame from 0 to 1",
);
export const BOX_OR_WHOLE = BoxInput.nullish().describe(
  "part of the frame: x and y of its top left corner, width and height, as shares of the frame from 0 to 1; not given: the whole frame",
);
