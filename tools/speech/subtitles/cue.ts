/** A cue as in its file: lines with tags. Seconds count from the start of the container. */
export interface RawCue {
  start_s: number;
  end_s: number;
  lines: string[];
}

/** A parsed cue: one line of plain text. */
export interface Cue {
  start_s: number;
  end_s: number;
  text: string;
}

/** `skipped` counts cues whose times are unreadable, negative, or do not end after they begin. */
export interface ParsedCues {
  cues: RawCue[];
  skipped: number;
}

/** A line longer than this is not a caption, and its cue is skipped. */
export const MAX_CUE_CHARACTERS = 20_000;

/** Whether a cue is valid: its times are possible and its lines are not too long. */
export function isPossible(cue: RawCue): boolean {
  return (
    cue.start_s >= 0 &&
    cue.end_s > cue.start_s &&
    cue.lines.reduce((sum, line) => sum + line.length, 0) <= MAX_CUE_CHARACTERS
  );
}
