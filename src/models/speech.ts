/** A word with its time, in seconds from the start of the sound or, in evidence, of the container. */
export interface SpokenWord {
  start_s: number;
  end_s: number;
  text: string;
}

/** Something said. Seconds count as the function that returns it says. */
export interface SpokenSegment {
  start_s: number;
  end_s: number;
  /** One line of plain text, not empty. */
  text: string;
  /** 0 to 1; null if the engine gives none. */
  confidence: number | null;
  /** Name of the speaker; null if the engine tells none apart. */
  speaker: string | null;
  /** Absent if the engine gives no times of words. */
  words?: SpokenWord[];
}

/** Sound to be transcribed. */
export interface TranscriptionRequest {
  sound: { bytes: Uint8Array; mime: string; name: string; seconds: number };
  /** Code of the language that is spoken, such as `de`; absent: the model detects it. */
  language?: string;
}

/** A transcription of one sound. */
export interface TranscriptionReply {
  /** In seconds from the start of the sound. */
  segments: SpokenSegment[];
  /** False if the server gives no times: one segment then has the length of the sound. */
  isTimed: boolean;
  /** Segments that were left out because the server itself marks them as silence. */
  silent: number;
}
