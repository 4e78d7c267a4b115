import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTranscript } from "../../../../tools/speech/transcripts/parse-transcript.ts";

function segmentsOf(text: string) {
  return parseTranscript(text)?.segments;
}

const SAID = { start_s: 1, end_s: 2.5, text: "Hello there." };

test("JSON of openai-whisper gives confidence from the words, else from the log probability", () => {
  const words = [
    { word: " Hello", start: 1, end: 1.5, probability: 0.9 },
    { word: " there.", start: 1.5, end: 2.5, probability: 0.7 },
  ];
  const segment = { id: 0, seek: 0, start: 1, end: 2.5, text: " Hello there.", tokens: [50364, 1] };
  const [timed] = segmentsOf(JSON.stringify({ text: "", segments: [{ ...segment, words }] })) ?? [];
  expect(timed).toMatchObject({
    ...SAID,
    speaker: null,
    words: [{ text: "Hello" }, { end_s: 2.5 }],
  });
  expect(timed?.confidence).toBeCloseTo(0.8);
  const plain = { ...segment, avg_logprob: -0.25, no_speech_prob: 0.01 };
  const [untimed] = segmentsOf(JSON.stringify({ segments: [plain], language: "en" })) ?? [];
  expect(untimed?.confidence).toBeCloseTo(Math.exp(-0.25));
  expect(untimed).not.toHaveProperty("words");
});

test("JSON of whisper.cpp counts milliseconds and lists control tokens", () => {
  const transcription = [
    {
      timestamps: { from: "00:00:01,000", to: "00:00:02,500" },
      offsets: { from: 1000, to: 2500 },
      text: " Hello there.",
      speaker: "1",
      tokens: [
        { text: "[_BEG_]", offsets: { from: 0, to: 0 }, id: 50363, p: 0.1 },
        { text: " Hello", offsets: { from: 1000, to: 1500 }, id: 18435, p: 0.6 },
        { text: " there.", offsets: { from: 1500, to: 2500 }, id: 612, p: 0.8 },
      ],
    },
  ];
  const json = JSON.stringify({
    systeminfo: "",
    params: {},
    result: { language: "en" },
    transcription,
  });
  const [segment] = segmentsOf(json) ?? [];
  expect(segment).toMatchObject({ ...SAID, speaker: "1" });
  expect(segment?.confidence).toBeCloseTo(0.7);
});

test("JSON of WhisperX gives speakers; words without times are left out", () => {
  const words = [
    { word: "In", start: 1, end: 1.2, score: 0.5, speaker: "SPEAKER_00" },
    { word: "1999", speaker: "SPEAKER_00" },
  ];
  const segments = [{ start: 1, end: 2.5, text: "In 1999", speaker: "SPEAKER_00", words }];
  expect(segmentsOf(JSON.stringify({ segments, word_segments: words }))).toEqual([
    {
      ...{ start_s: 1, end_s: 2.5, text: "In 1999", speaker: "SPEAKER_00", confidence: 0.5 },
      words: [{ start_s: 1, end_s: 1.2, text: "In" }],
    },
  ]);
});

test.each([
  ["a list of faster-whisper", JSON.stringify([{ start: 1, end: 2.5, text: " Hello there." }])],
  ["a segment per line", '{"start": 1, "end": 2.5, "text": "Hello there."}\n'],
  [
    "chunks of Transformers",
    '{"text": "x", "chunks": [{"timestamp": [1.0, 2.5], "text": " Hello there."}]}',
  ],
  ["SRT", "1\n00:00:01,000 --> 00:00:02,500\nHello there.\n"],
  ["WebVTT", "WEBVTT\n\n00:01.000 --> 00:02.500\nHello there.\n"],
  [
    "lines that Whisper prints",
    "Detected language: English\n[00:01.000 --> 00:02.500]  Hello there.\n",
  ],
  ["lines that whisper.cpp prints", "\n[00:00:01.000 --> 00:00:02.500]   Hello there.\n"],
])("%s is read", (_name, text) => {
  expect(segmentsOf(text)).toEqual([{ ...SAID, confidence: null, speaker: null }]);
});

test.each([
  [
    "SRT of WhisperX",
    "1\n00:00:01,000 --> 00:00:02,500\n[SPEAKER_01]: Hello there.\n",
    "SPEAKER_01",
  ],
  ["a WebVTT voice", "WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann Lee>Hello there.\n", "Ann Lee"],
])("%s names the speaker", (_name, text, speaker) => {
  expect(segmentsOf(text)).toEqual([{ ...SAID, confidence: null, speaker }]);
});

test("words with times become segments that end at pauses", () => {
  const words = ["one", "two", "three", "four", "five", "six"].map((word, index) => ({
    ...{ word, conf: 0.5 },
    ...{ start: index + (index < 3 ? 0 : 5), end: index + 0.9 + (index < 3 ? 0 : 5) },
  }));
  expect(segmentsOf(JSON.stringify({ result: words, text: "one two" }))).toMatchObject([
    { start_s: 0, end_s: 2.9, text: "one two three", confidence: 0.5, words: [{}, {}, {}] },
    { start_s: 8, end_s: 10.9, text: "four five six" },
  ]);
});

test("silence is a transcript without segments; other text is none", () => {
  for (const silent of ["WEBVTT\n", '{"text": "", "segments": []}', "[]", '{"transcription": []}'])
    expect(parseTranscript(silent), silent).toEqual({ segments: [], skipped: 0 });
  for (const other of ["Usage: whisper FILE", "{}", '{"error": "no model"}', "[1, 2]", "<html>"])
    expect(parseTranscript(other), other).toBeNull();
});

test("markup of a hostile engine is text without tags, and impossible times are skipped", () => {
  const segments = [
    { start: 3, end: 4, text: "<b>bold</b>\u0000 &lt;i&gt;\n\u200btwo" },
    { start: 4, end: 2, text: "backwards" },
    { start: -1, end: 2, text: "before" },
    { start: "NaN", end: 2, text: "no number" },
    { start: 5, end: 6, text: { nested: true } },
    null,
  ];
  expect(parseTranscript(JSON.stringify({ segments }))).toEqual({
    segments: [{ start_s: 3, end_s: 4, text: "bold <i> two", confidence: null, speaker: null }],
    skipped: 5,
  });
});

test("any JSON and any text is read without an exception, with possible times in order", () => {
  const time = fc.oneof(fc.double(), fc.string(), fc.constant(null));
  const segment = fc.record(
    { start: time, end: time, text: fc.string(), words: fc.jsonValue(), speaker: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const json = fc.oneof(
    fc.jsonValue(),
    fc.array(segment),
    fc.record({ segments: fc.array(segment) }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        json.map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const read = parseTranscript(text)?.segments ?? [];
        for (const [index, { start_s, end_s, text: said, confidence }] of read.entries()) {
          expect(said).not.toBe("");
          expect(start_s).toBeGreaterThanOrEqual(read[index - 1]?.start_s ?? 0);
          expect(end_s).toBeGreaterThan(start_s);
          if (confidence !== null) expect(confidence >= 0 && confidence <= 1).toBe(true);
        }
      },
    ),
  );
});
