import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText } from "../../../../tools/speech/subtitles/decode-text.ts";
import { parseSubtitles } from "../../../../tools/speech/subtitles/parse-subtitles.ts";
import { plainText } from "../../../../tools/speech/subtitles/plain-text.ts";
import { foldRolling } from "../../../../tools/speech/subtitles/rolling-captions.ts";
import { encode, type WrittenCue, writeSubtitles } from "../../../support/subtitle-files.ts";

const UNICODE = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];

/** A sentence in a language of each Windows code page, of which files are made. */
const SENTENCES: Record<string, string[]> = {
  "windows-1250": [
    "Nie wiem, co się stało. Proszę, powiedz mi, gdzie jesteś.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Nevím, co se stalo.",
    "Kérlek, mondd meg, hol vagy. Köszönöm szépen, hogy eljöttél.",
  ],
  "windows-1251": ["Я не знаю, что случилось. Скажи мне, где ты.", "Моля те, кажи ми къде си."],
  "windows-1252": [
    "Où êtes-vous allé hier soir ? Très bien, ça va, mon cœur.",
    "Größe und Übermut tun selten gut. Ich weiß nicht, was geschehen ist.",
    "¿Dónde está el niño? No sé qué pasó. Dímelo mañana, señor.",
  ],
  "windows-1253": ["Δεν ξέρω τι έγινε. Πες μου πού είσαι. Ευχαριστώ πολύ που ήρθες."],
  "windows-1254": [
    "Ne olduğunu bilmiyorum. Lütfen bana nerede olduğunu söyle, çok teşekkür ederim.",
  ],
  "windows-1255": ["אני לא יודע מה קרה. בבקשה תגיד לי איפה אתה."],
  "windows-1256": ["لا أعرف ماذا حدث. من فضلك أخبرني أين أنت."],
  "windows-1257": ["Nežinau, kas nutiko. Prašau, pasakyk man, kur esi. Ačiū, kad atėjai."],
  "windows-1258": ["Tôi không biết chuyện gì đã xảy ra. Xin hãy nói cho tôi biết bạn đang ở đâu."],
};

const format = fc.constantFrom("srt" as const, "vtt" as const, "ass" as const);

/** Words that no format takes for its own signs. */
const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[\s<>{}\\&\p{Cc}\p{Cf}\p{Cs}]/gu, ""))
  .filter((text) => text !== "" && !/^\d+$/.test(text) && !text.includes("->"));

function cuesOf(line: fc.Arbitrary<string>): fc.Arbitrary<WrittenCue[]> {
  const cue = fc.record({
    gap: fc.integer({ min: 1, max: 5000 }),
    length: fc.integer({ min: 1, max: 900 }),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  return fc.array(cue, { minLength: 1, maxLength: 20 }).map((cues) => {
    let at = 0;
    return cues.map(({ gap, length, lines }) => {
      const start_ms = at + gap * 10;
      at = start_ms + length * 10;
      return { start_ms, end_ms: at, lines };
    });
  });
}

function readBack(bytes: Uint8Array) {
  const { text, encoding } = decodeText(bytes);
  const { format: read, cues, skipped } = parseSubtitles(text);
  return {
    encoding,
    format: read,
    skipped,
    cues: cues.map((cue) => ({
      start_ms: Math.round(cue.start_s * 1000),
      end_ms: Math.round(cue.end_s * 1000),
      text: plainText(cue.lines),
    })),
  };
}

function asRead(cues: readonly WrittenCue[]) {
  return cues.map(({ lines, ...times }) => ({
    ...times,
    text: lines.join(" ").replace(/\s+/g, " ").trim(),
  }));
}

test("files in every format and Unicode encoding come back cue by cue, with and without a mark", () => {
  const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(
      format,
      fc.constantFrom(...UNICODE),
      fc.boolean(),
      cuesOf(line),
      (format, encoding, mark, cues) => {
        const read = readBack(encode(writeSubtitles(format, cues), encoding, mark));
        expect(read).toEqual({ encoding, format, skipped: 0, cues: asRead(cues) });
      },
    ),
    { numRuns: 400 },
  );
});

test.each(Object.entries(SENTENCES))("files in %s come back cue by cue", (page, sentences) => {
  for (const sentence of sentences) {
    fc.assert(
      fc.property(format, cuesOf(fc.constant(sentence)), (format, cues) => {
        const file = writeSubtitles(format, cues);
        const read = readBack(encode(forPage(page, file), page, false));
        expect(read.cues).toEqual(asRead(cues));
      }),
      { numRuns: 15 },
    );
  }
});

/** Windows-1258 has the vowels of Vietnamese, and the tones as characters of their own. */
function forPage(page: string, text: string): string {
  if (page !== "windows-1258") return text;
  return text.normalize("NFC").replace(/\p{L}/gu, (letter) => {
    const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(letter.normalize("NFD"))?.[0] ?? "";
    return letter.normalize("NFD").replace(tone, "").normalize("NFC") + tone;
  });
}

test.each<[encoding: string, sentence: string]>([
  ["shift_jis", "何が起こったのか分かりません。どこにいるのか教えてください。"],
  ["gb18030", "我不知道发生了什么事。请告诉我你在哪里。谢谢你今天来。"],
  ["big5", "我不知道發生了什麼事。請告訴我你在哪裡。謝謝你今天來。"],
  ["windows-1253", "Καλημέρα κόσμε, τι κάνεις σήμερα;"],
  ["euc-kr", "무슨 일이 일어났는지 모르겠습니다. 어디에 있는지 말해 주세요."],
])("a file in %s is read", (encoding, sentence) => {
  const cues = [{ start_ms: 0, end_ms: 1000, lines: [sentence] }];
  expect(readBack(encode(writeSubtitles("srt", cues), encoding, false)).cues).toEqual(asRead(cues));
});

test("UTF-8 with one damaged byte stays UTF-8", () => {
  const bytes = encode("é".repeat(50), "utf-8", false);
  bytes[1] = 0x20;
  expect(decodeText(bytes)).toEqual({ encoding: "utf-8", text: `\ufffd ${"é".repeat(49)}` });
});

/** One line a case: what is wrong, the file, the cues as [start, end, text], and how many were skipped. */
test.each<[fault: string, file: string, cues: [number, number, string][], skipped: number]>([
  ["no blanks around the arrow", "1\n00:00:01,000-->00:00:02,000\nHi", [[1, 2, "Hi"]], 0],
  ["a short arrow", "1\n00:00:01,000 -> 00:00:02,000\nHi", [[1, 2, "Hi"]], 0],
  ["coordinates", "1\n00:00:01,000 --> 00:00:02,000  X1:10 Y1:2\nHi", [[1, 2, "Hi"]], 0],
  ["short times", "1\n0:0:1,5 --> 0:0:2.25\nHi", [[1.5, 2.25, "Hi"]], 0],
  ["blanks inside times", "1\n00:00:01 ,000 --> 00:00:02, 000\nHi", [[1, 2, "Hi"]], 0],
  ["a hundred hours", "1\n100:00:01,000 --> 100:00:02,000\nHi", [[360001, 360002, "Hi"]], 0],
  ["no hours", "1\n00:01,000 --> 00:02,000\nHi", [[1, 2, "Hi"]], 0],
  [
    "a blank line inside a cue",
    "1\n00:00:01,000 --> 00:00:02,000\nHi\n\nthere\n\n2\n00:00:03,000 --> 00:00:04,000\nyou",
    [
      [1, 2, "Hi there"],
      [3, 4, "you"],
    ],
    0,
  ],
  [
    "no blank line between cues",
    "1\n00:00:01,000 --> 00:00:02,000\nHi\n2\n00:00:03,000 --> 00:00:04,000\nyou",
    [
      [1, 2, "Hi"],
      [3, 4, "you"],
    ],
    0,
  ],
  [
    "no numbers, and a number as the last word",
    "00:00:01,000 --> 00:00:02,000\nThe answer is\n42\n\n00:00:03,000 --> 00:00:04,000\nyou",
    [
      [1, 2, "The answer is 42"],
      [3, 4, "you"],
    ],
    0,
  ],
  [
    "unsorted and overlapping cues",
    "2\n00:00:03,000 --> 00:00:09,000\nb\n\n1\n00:00:01,000 --> 00:00:04,000\na",
    [
      [3, 9, "b"],
      [1, 4, "a"],
    ],
    0,
  ],
  [
    "doubled line ends",
    "1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nalpha\r\r\n7\r\r\n\r\r\n2\r\r\n00:00:03,000 --> 00:00:04,000\r\r\nbeta\r\r\n",
    [
      [1, 2, "alpha 7"],
      [3, 4, "beta"],
    ],
    0,
  ],
  [
    "a number as the last word, and a cue without a number",
    "1\n00:00:01,000 --> 00:00:02,000\nThe answer is\n42\n\n00:00:03,000 --> 00:00:04,000\nyou",
    [
      [1, 2, "The answer is 42"],
      [3, 4, "you"],
    ],
    0,
  ],
  [
    "other arrows",
    "1\n00:00:01,000 → 00:00:02,000\na\n\n2\n00:00:03,000 ==> 00:00:04,000\nb\n\n3\n00:00:05,000 —> 00:00:06,000\nat 12:30 → 13:00",
    [
      [1, 2, "a"],
      [3, 4, "b"],
      [5, 6, "at 12:30 → 13:00"],
    ],
    0,
  ],
  [
    "digits of other scripts",
    "١\n٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٢,٠٠٠\nبيت ٣\n\n٢\n٠٠:٠٠:٠٣,٠٠٠ --> ٠٠:٠٠:٠٤,٠٠٠\nb",
    [
      [1, 2, "بيت ٣"],
      [3, 4, "b"],
    ],
    0,
  ],
  ["a backward cue", "1\n00:00:05,000 --> 00:00:02,000\nHi", [], 1],
  ["a cue without length", "1\n00:00:05,000 --> 00:00:05,000\nHi", [], 1],
  ["a negative time", "1\n-00:00:05,000 --> 00:00:02,000\nHi", [], 1],
  [
    "a time that is none, between good cues",
    "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:xx,000 --> 00:00:03,000\nlost\n\n3\n00:00:04,000 --> 00:00:05,000\nb",
    [
      [1, 2, "a"],
      [4, 5, "b"],
    ],
    1,
  ],
  [
    "an arrow among the words",
    "1\n00:00:01,000 --> 00:00:02,000\nx --> 2, 1 -> 3",
    [[1, 2, "x --> 2, 1 -> 3"]],
    0,
  ],
  [
    "a caption with a short arrow after a time or a ratio",
    "1\n00:00:01,000 --> 00:00:02,000\nThe schedule is\n10:30 -> 11:00 keynote\n4:3 -> 16:9\nthen lunch\n\n2\n00:00:03,000 --> 00:00:04,000\nb",
    [
      [1, 2, "The schedule is 10:30 -> 11:00 keynote 4:3 -> 16:9 then lunch"],
      [3, 4, "b"],
    ],
    0,
  ],
  [
    "a damaged time before a short arrow",
    "1\n00:00:01,000 -> 00:00:02,000\na\n\n2\n00:00:xx,000 -> 00:00:03,000\nlost\n\n3\n00:00:04 -> 00:00:05\nlost",
    [[1, 2, "a"]],
    2,
  ],
  [
    "a caption that begins as a line of ASS",
    "1\n00:00:01,000 --> 00:00:02,000\nDialogue: the words, spoken by actors.",
    [[1, 2, "Dialogue: the words, spoken by actors."]],
    0,
  ],
  ["seconds without a fraction", "1\n00:00:01 --> 00:00:10\nHi", [], 1],
  [
    "old Macintosh line ends",
    "1\r00:00:01,000 --> 00:00:02,000\rHi\rthere",
    [[1, 2, "Hi there"]],
    0,
  ],
  [
    "a WebVTT identifier",
    "WEBVTT\n\nintro\n00:01.000 --> 00:02.000\nHi\n\nnext\n",
    [[1, 2, "Hi"]],
    0,
  ],
  ["no blank line after WEBVTT", "WEBVTT\n00:01.000 --> 00:02.000\nHi", [[1, 2, "Hi"]], 0],
  [
    "ASS with leading blanks, commas, a drawing and a comment",
    " [Events]\n Format: Layer, Start, End, Text\n Comment: 0,0:00:00.00,0:00:01.00,no\n Dialogue: 0,0:00:01.18,0:00:02.85,{\\i1}a,b\\hc{\\p1}m 0 0{\\p0}\\Nd, e",
    [[1.18, 2.85, "a,b c d, e"]],
    0,
  ],
  [
    "ASS with comments in braces and a hard space before a word",
    "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,{note}Hello{=1}\\hat the {i}end",
    [[1, 2, "Hello at the end"]],
    0,
  ],
  [
    "ASS without sections",
    "Dialogue: Marked=0, 0:00:01,0:00:02,D,,0,0,0,,a, b",
    [[1, 2, "a, b"]],
    0,
  ],
  ["ASS with a bad time", "[Events]\nDialogue: 0,0:00:xx.00,0:00:02.00,D,,0,0,0,,Hi", [], 1],
  ["an empty file", "", [], 0],
  ["nothing but noise", "\u0000\u0001 --> \ufffd\n-->\n:-->:\n", [], 0],
])("%s", (_fault, file, cues, skipped) => {
  const read = parseSubtitles(file);
  expect(read.cues.map((cue) => [cue.start_s, cue.end_s, plainText(cue.lines)])).toEqual(cues);
  expect(read.skipped).toBe(skipped);
});

test.each<[markup: string, text: string]>([
  ["<i>one</i> <b>two</b> <font color=\"#fff\" size='2'>three</font>", "one two three"],
  ["a<br>b<br/>c", "a b c"],
  ["{\\an8}top {\\pos(400,570)}{\\i1}x{\\i0}", "top x"],
  ["{y:i}slanted", "slanted"],
  ["{c:$0000ff}{f:Times New Roman}{s:12}{Y:i,b}blue", "blue"],
  ["one\\htwo", "one two"],
  ["\\hat x + \\hbar, one\\hbarn", "\\hat x + \\hbar, one barn"],
  ["If a < b and c > d then we stop", "If a < b and c > d then we stop"],
  ["The set {x: x > 3} is {s: s^2 > 2}", "The set {x: x > 3} is {s: s^2 > 2}"],
  ["so we know i < s\nand therefore t > 2", "so we know i < s and therefore t > 2"],
  ["vector <i j k>, 0 <a and b> 1", "vector <i j k>, 0 <a and b> 1"],
  [
    "<a href='x'>one</a> </ i><i class=x >two</i > <font color=red face>three</font>",
    "one two three",
  ],
  [
    "soft\u00adhyphen, word\u2060joiner, \u202ebidi\u202c, \u0645\u06cc\u200c\u0631\u0648\u062f",
    "softhyphen, wordjoiner, bidi, \u0645\u06cc\u200c\u0631\u0648\u062f",
  ],
  ["3 < 5 and 7 > 2, {1, 2}, a<b>c", "3 < 5 and 7 > 2, {1, 2}, ac"],
  [
    "AT&T &amp;lt; &lt;b&gt; &#233;&#xE9; &quot;q&quot;&nbsp;x &unknown; &#xD800;",
    'AT&T &lt; <b> éé "q" x &unknown; &#xD800;',
  ],
  ["<v Roger Bingham>We are in New York", "Roger Bingham: We are in New York"],
  ["<v.loud Ann>Hi</v> <c.yellow.bg_blue>there</c>", "Ann: Hi there"],
  ["i<00:00:25.279><c> welcome</c><00:00:25.599><c> you</c>", "i welcome you"],
  ["<ruby>東<rt>とう</rt></ruby>", "東とう"],
  ["<c></>x <lang en>y</lang>", "x y"],
  ["♪ la la ♪", "♪ la la ♪"],
  ["zero\u200bwidth\ufeff and \u0007bell", "zerowidth and bell"],
])("%s reads %s", (markup, text) => {
  expect(plainText([markup])).toBe(text);
});

test("any bytes are read without an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(Array.isArray(readBack(bytes).cues)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test.each([
  "<",
  "<v.",
  "<v ",
  "</ ",
  "{\\",
  "{y:",
  "&#",
  "0:",
  "[ ",
  "( ",
  "♪ ",
  "\\p1",
  "- ",
  "\r",
])("a file that repeats %j is read, long cues left out", (piece) => {
  const cue = (text: string, at: number) => `00:00:${at},000 --> 00:00:${at + 1},000\n${text}\n\n`;
  const long = piece.repeat(1_000_000 / piece.length);
  const short = piece.repeat(19_000 / piece.length).trimEnd();
  const cues = Array.from({ length: 30 }, (_, index) => cue(`${short}a`, index + 11));
  const { text } = decodeText(encode(`${cue(`é${long}`, 10)}${cues.join("")}`, "latin1", false));
  const read = parseSubtitles(text);
  if (piece === "\r") expect(read.cues).toHaveLength(31);
  else expect([read.cues.length, read.skipped]).toEqual([30, 1]);
  foldRolling(read.cues);
  for (const { lines } of read.cues) expect(plainText(lines)).toMatch(/[aé]$/);
});
