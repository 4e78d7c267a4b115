/** A cue as its file has it: lines with their tags. Seconds count from the start of the container. */
export interface RawCue {
  start_s: number;
  end_s: number;
  lines: string[];
}

/** A cue as it is read: one line of plain text. */
export interface Cue {
  start_s: number;
  end_s: number;
  text: string;
}

/** `skipped` counts cues whose times could not be read, were negative, or did not end after they began. */
export interface ParsedCues {
  cues: RawCue[];
  skipped: number;
}

/** A line longer than this is no caption: the cue that holds it is skipped. */
export const MAX_CUE_CHARACTERS = 20_000;

/** Whether a cue can have stood on a screen. */
export function isPossible(cue: RawCue): boolean {
  return (
    cue.start_s >= 0 &&
    cue.end_s > cue.start_s &&
    cue.lines.reduce((sum, line) => sum + line.length, 0) <= MAX_CUE_CHARACTERS
  );
}
