import { addUsage, NO_USAGE, type Usage } from "../../src/core/shapes.ts";
import type { Extraction } from "../benchmarks/scored-reply.ts";
import { JUDGE_REFUSED } from "../judges/ask-judge.ts";
import { type Judging, withPaid } from "../judges/judging.ts";
import { bareReply } from "../judges/reading.ts";
import { type KeyedReply, replyKey } from "../judges/reply-key.ts";
import { LETTER_SETTINGS, MODEL_LETTER, type StoredExtractor } from "./extractor-settings.ts";
import { letterJudge, NamedLetter } from "./letter-judge.ts";

/* Reads the letters that a model named, from the stored judgements, for the extractor `model-letter`. */

/** Summary of one series of named letters. */
export interface LetterReport {
  /** `provider:model`. */
  model: string;
  temperature: number;
  max_tokens: number;
  /** Replies sent to the model, and those for which it named no letter: wrong here; the released code picks a wrong letter. */
  asked: number;
  without_letter: number;
  /** Replies that the model refused to read: wrong, too. */
  refused: number;
  /** Those without a letter whose reply of the model is empty, for example because thinking used all tokens. */
  empty: number;
  /** Replies whose call failed; the same command tries again. */
  failed: number;
  usage: Usage;
}

/** The letter named for a reply, no letter, or why the call failed. */
export type NamedReply = Extraction | { failed: string };

export interface NamedLetters {
  report: LetterReport;
  of(reply: KeyedReply): NamedReply | null;
}

/** All series of named letters that match the requested settings. */
export function namedLetters(
  judgings: readonly Judging[] = [],
  asked: Pick<StoredExtractor, "model" | "temperature" | "max_tokens"> | null = null,
): NamedLetters[] {
  return judgings
    .filter(({ header }) => header.kind === letterJudge.kind)
    .map(lettersOf)
    .filter(
      ({ report }) =>
        asked === null ||
        ((asked.model === null || report.model === asked.model) &&
          (asked.temperature === null || report.temperature === asked.temperature) &&
          (asked.max_tokens === null || report.max_tokens === asked.max_tokens)),
    );
}

function lettersOf(judging: Judging): NamedLetters {
  const { header, lines } = judging;
  const named = new Map<string, NamedReply>();
  const { temperature = LETTER_SETTINGS.temperature, max_tokens = LETTER_SETTINGS.max_tokens } =
    (header.settings.reasoning ?? {}) as { temperature?: number; max_tokens?: number };
  const report: LetterReport = {
    ...{ model: header.judge, temperature, max_tokens },
    ...{ asked: 0, without_letter: 0, refused: 0, empty: 0, failed: 0, usage: NO_USAGE },
  };
  for (const { sample, error, parts, usage } of lines) {
    report.asked++;
    report.usage = addUsage(report.usage, usage);
    if (error !== undefined) {
      report.failed++;
      named.set(sample, { failed: error.message });
      continue;
    }
    const read = NamedLetter.safeParse(parts[0]?.value);
    const [first = "", second] = parts[0]?.replies ?? [];
    const isRefused = parts[0]?.why === JUDGE_REFUSED;
    // As in the released code only the first reply counts; older judgements may have two.
    const said = read.success && second === undefined ? read.data.letter : onlyLetter(first);
    const letter = isRefused ? null : said;
    if (isRefused) report.refused++;
    else if (letter === null) report.without_letter++;
    if (!isRefused && letter === null && first.trim() === "") report.empty++;
    const none = `${header.judge} ${isRefused ? "refused to name a letter" : "named no letter"}`;
    named.set(sample, {
      answer: letter,
      how: letter === null ? none : `named by ${header.judge}`,
    });
  }
  report.usage = withPaid(report.usage, [judging]);
  return { report, of: (reply) => named.get(replyKey(reply)) ?? null };
}

function onlyLetter(reply: string): string | null {
  return /^[A-Z]$/.exec(bareReply(reply).toUpperCase())?.[0] ?? null;
}

/** The name of the extractor; includes the model if several models named letters. */
export function letterName({ model }: LetterReport, among: readonly NamedLetters[]): string {
  return among.length === 1 ? MODEL_LETTER : `${MODEL_LETTER} (${model})`;
}
