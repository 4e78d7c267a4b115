/** Something said. Seconds count from the start of the sound that was sent. */
export interface SpokenSegment {
  start_s: number;
  end_s: number;
  text: string;
}

/** Sound to be transcribed. */
export interface TranscriptionRequest {
  sound: { bytes: Uint8Array; mime: string; name: string; seconds: number };
  /** Two-letter language of the speech, if it is known. */
  language?: string;
}
