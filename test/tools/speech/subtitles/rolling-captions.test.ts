import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RawCue } from "../../../../tools/speech/subtitles/cue.ts";
import { parseSubtitles } from "../../../../tools/speech/subtitles/parse-subtitles.ts";
import { foldRolling, isRolling } from "../../../../tools/speech/subtitles/rolling-captions.ts";
import { describeShared, sharedFile } from "../../../support/shared.ts";

interface Spoken {
  text: string;
  start_s: number;
}

/** A talk: words with onsets, dealt into caption lines. Words repeat often, as they do in speech. */
const talk = fc
  .array(
    fc.array(
      fc.record({
        text: fc.constantFrom("no", "yes", "so", "the", "area", "is", "two", "no.", "R&D", "x"),
        gap_s: fc.integer({ min: 20, max: 3000 }).map((ms) => ms / 1000),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    { minLength: 3, maxLength: 30 },
  )
  .map((lines) => {
    let at = 1;
    return lines.map((line) =>
      line.map(({ text, gap_s }): Spoken => {
        at = Math.round((at + Math.max(gap_s, 0.1)) * 1000) / 1000;
        return { text, start_s: at };
      }),
    );
  });

/** As YouTube writes them: the line before on top, the words of the line below with their times, and a filler after each. */
function youtube(lines: readonly Spoken[][], timed: boolean): RawCue[] {
  return lines.flatMap((line, index) => {
    const start_s = line[0]?.start_s ?? 0;
    const next_s = lines[index + 1]?.[0]?.start_s ?? (line.at(-1)?.start_s ?? 0) + 1;
    const end_s = next_s - 0.01;
    const above = lines[index - 1]?.map(({ text }) => escaped(text)).join(" ") ?? " ";
    const words = line.map(({ text }) => escaped(text));
    const below = line
      .map(({ start_s }, at) =>
        at === 0 || !timed ? words[at] : `<${clock(start_s)}><c> ${words[at]}</c>`,
      )
      .join(timed ? "" : " ");
    return [
      { start_s, end_s, lines: [above, below] },
      { start_s: end_s, end_s: next_s, lines: [words.join(" "), " "] },
    ];
  });
}

/** As decoders of broadcast captions write them: a window of lines that scrolls up, without gaps. */
function rollUp(lines: readonly Spoken[][], height: number): RawCue[] {
  return lines.map((line, index) => ({
    start_s: line[0]?.start_s ?? 0,
    end_s: lines[index + 1]?.[0]?.start_s ?? (line.at(-1)?.start_s ?? 0) + 1,
    lines: lines
      .slice(Math.max(0, index + 1 - height), index + 1)
      .map((shown) => shown.map(({ text }) => escaped(text)).join(" ")),
  }));
}

/** As live recognition writes them: a line that grows by a word with each cue, below the line before. */
function growing(lines: readonly Spoken[][]): RawCue[] {
  const spoken = lines.flat();
  return lines.flatMap((line, index) =>
    line.map(({ start_s }, at) => ({
      start_s,
      end_s: spoken.find((word) => word.start_s > start_s)?.start_s ?? start_s + 1,
      lines: [
        ...(index > 0 ? [lines[index - 1]?.map(({ text }) => escaped(text)).join(" ") ?? ""] : []),
        line
          .slice(0, at + 1)
          .map(({ text }) => escaped(text))
          .join(" "),
      ],
    })),
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;");
}

function clock(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const pad = (value: number, width = 2) => String(Math.floor(value)).padStart(width, "0");
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}.${pad(ms % 1000, 3)}`;
}

function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(" "));
}

test("folding loses no word, repeats none and keeps their order", () => {
  fc.assert(
    fc.property(talk, fc.boolean(), (lines, timed) => {
      const folded = foldRolling(youtube(lines, timed));
      expect(wordsOf(folded.map((cue) => cue.text))).toEqual(lines.flat().map(({ text }) => text));
    }),
    { numRuns: 500 },
  );
});

test("a window of distinct lines that moves up is folded the same", () => {
  fc.assert(
    fc.property(talk, fc.integer({ min: 2, max: 3 }), (lines, height) => {
      const distinct = lines.map((line, index) => [
        ...line,
        { text: `w${index}`, start_s: (line.at(-1)?.start_s ?? 0) + 0.01 },
      ]);
      const folded = foldRolling(rollUp(distinct, height));
      expect(wordsOf(folded.map((cue) => cue.text))).toEqual(
        distinct.flat().map(({ text }) => text),
      );
    }),
    { numRuns: 300 },
  );
});

test("lines that grow word by word are folded the same", () => {
  fc.assert(
    fc.property(talk, (lines) => {
      const distinct = lines.map((line, index) => {
        const start_s = line[0]?.start_s ?? 0;
        return [{ text: `w${index}`, start_s: start_s - 0.01 }, ...line];
      });
      const cues = growing(distinct);
      const folded = foldRolling(cues);
      const spoken = distinct.flat();
      expect(isRolling(cues)).toBe(true);
      expect(wordsOf(folded.map((cue) => cue.text))).toEqual(spoken.map(({ text }) => text));
      let word = 0;
      for (const cue of folded) {
        expect(cue.start_s).toBeCloseTo(spoken[word]?.start_s ?? -1, 6);
        word += cue.text.split(" ").length;
      }
    }),
    { numRuns: 300 },
  );
});

test("cues are in order, do not overlap, last at most ten seconds and begin when their first word does", () => {
  fc.assert(
    fc.property(talk, (lines) => {
      const folded = foldRolling(youtube(lines, true));
      const spoken = lines.flat();
      let word = 0;
      let until = 0;
      for (const cue of folded) {
        expect(cue.start_s).toBeCloseTo(spoken[word]?.start_s ?? -1, 6);
        expect(cue.start_s).toBeGreaterThanOrEqual(until - 1e-9);
        expect(cue.end_s - cue.start_s).toBeLessThanOrEqual(10 + 1e-9);
        until = cue.end_s;
        word += cue.text.split(" ").length;
      }
    }),
    { numRuns: 300 },
  );
});

test("rolling captions are told from ordinary ones, repeated words and all", () => {
  fc.assert(
    fc.property(
      talk.filter((lines) => lines.length >= 6),
      (lines) => {
        expect(isRolling(youtube(lines, true))).toBe(true);
        const ordinary = lines.map((line, index) => ({
          start_s: index * 3,
          end_s: index * 3 + 3,
          lines: [line.map(({ text }) => text).join(" "), `line ${index}`],
        }));
        expect(isRolling(ordinary)).toBe(false);
      },
    ),
    { numRuns: 100 },
  );
});

test("sentences, pauses, speakers and sounds each end a cue", () => {
  const line = (start_s: number, end_s: number, text: string): RawCue => ({
    start_s,
    end_s,
    lines: [text],
  });
  const cues = foldRolling([
    line(0, 2, "Yes. It is"),
    line(2, 2.01, "Yes. It is."),
    line(2.01, 3, "[Music]"),
    line(5, 6, "so >> what?"),
  ]);
  expect(cues.map((cue) => cue.text)).toEqual(["Yes.", "It is", "[Music]", "so", ">> what?"]);
});

describeShared("automatic captions of a lecture", () => {
  test("every spoken word once, at its own second", () => {
    const file = readFileSync(sharedFile("media/subtitles/youtube_auto_rolling_en.vtt"), "utf8");
    const { cues } = parseSubtitles(file);
    expect(isRolling(cues)).toBe(true);
    const folded = foldRolling(cues);
    const onsets = new Map(folded.map((cue) => [cue.text, cue.start_s]));
    expect(folded[0]).toEqual({ start_s: 1.52, end_s: 24.47, text: "[Music]" });
    expect(onsets.get("well i welcome you all to the lecture four of week five")).toBe(24.48);
    expect(onsets.get("which are used in the automation industry.")).toBe(95.68);
    const fresh = cues
      .filter((cue) => cue.end_s - cue.start_s > 0.02)
      .map(
        (cue) =>
          cue.lines
            .at(-1)
            ?.replace(/<[^>]*>/g, "")
            .trim() ?? "",
      )
      .filter((text) => text !== "");
    expect(wordsOf(folded.map((cue) => cue.text))).toEqual(wordsOf(fresh));
    for (const cue of folded.slice(1)) expect(cue.end_s - cue.start_s).toBeLessThanOrEqual(10);
  });
});
