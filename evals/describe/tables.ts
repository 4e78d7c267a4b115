import { percent } from "../../src/core/percent.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { DataDescription } from "./describe-data.ts";
import type { MediaDescription } from "./media.ts";
import type { OptionBalance } from "./option-balance.ts";
import type { Spread } from "./spread.ts";

/** Rows for a terminal or a card; the first row is the head. */
export interface DescriptionTable {
  title: string;
  rows: string[][];
  /** Sentences under the table. */
  remarks: string[];
}

/** Most groups of one kind, or examples of one problem, that are listed; `--json` has all. */
const MOST_LISTED = 20;
const MOST_EXAMPLES = 8;

/** The statistics of a set as tables. Texts of the data are not escaped. */
export function descriptionTables(data: DataDescription): DescriptionTable[] {
  return [
    questionTable(data),
    ...(data.options === null ? [] : [positionTable(data.options), guessTable(data.options)]),
    ...data.groups.map(groupTable),
    videoTable(data),
    ...(data.media === null ? [] : [mediaTable(data.media)]),
  ];
}

/** What a person should look at before the set is used, as sentences; empty if nothing was found. */
export function problemsOf({
  options,
  videos,
  media,
  duplicates,
  notes,
}: DataDescription): string[] {
  const { without_right = [], balance = null, longest_option: longest = null } = options ?? {};
  return [
    ...notes.map(({ what, count, examples }) => `${what} (${count}): ${listed(examples, count)}`),
    ...problem("missing videos", videos.missing),
    ...problem("choices that do not offer their right letter", without_right),
    ...problem(
      "repeated samples: same video, question and options",
      duplicates.samples.map((ids) => ids.join(" = ")),
    ),
    ...(balance !== null && balance.p < 0.01
      ? [
          `The right options are not spread evenly over the positions (p ${small(balance.p)}). Run with --option-orders, or shuffle the options.`,
        ]
      : []),
    ...(longest !== null && longest.p < 0.01
      ? [
          `The longest option is right more often than a guess (${longest.right} of ${longest.samples}, ${longest.expected.toFixed(1)} expected, p ${small(longest.p)}).`,
        ]
      : []),
    ...problem(
      "videos that cannot be opened",
      (media?.unreadable ?? []).map(({ video, why }) => `${video} (${why})`),
    ),
    ...problem(
      "video files with the same content",
      (media?.same_content ?? []).map((paths) => paths.join(" = ")),
    ),
    ...problem("samples with evidence after the end of their video", media?.evidence_outside ?? []),
  ];
}

function problem(what: string, examples: readonly string[]): string[] {
  return examples.length === 0
    ? []
    : [`${what} (${examples.length}): ${listed(examples, examples.length)}`];
}

function listed(examples: readonly string[], count: number): string {
  const shown = examples.slice(0, MOST_EXAMPLES);
  return `${shown.join("; ")}${count > shown.length ? ` and ${count - shown.length} more` : ""}`;
}

function questionTable(data: DataDescription): DescriptionTable {
  const { samples, questions, tasks, clips, lengths, fields, duplicates } = data;
  const share = (count: number) => `${count} (${percent(count / samples)})`;
  const used = Object.entries(fields).filter(([, count]) => count > 0);
  return {
    title: "Questions",
    rows: [
      ["", ""],
      ["questions", String(questions)],
      ...(questions === samples
        ? []
        : [["samples (a question is several pairs)", String(samples)]]),
      ...tasks.map(({ task, samples: of, chance }) => [
        `task ${task}`,
        `${share(of)}${chance === null ? "" : `, guessing scores ${percent(chance)}`}`,
      ]),
      ...(clips === null ? [] : [["clips of an order", spread(clips)]]),
      ["words of a question", spread(lengths.question.words)],
      ["characters of a question", spread(lengths.question.characters)],
      ...(lengths.option.words === null
        ? []
        : [
            ["words of an option", spread(lengths.option.words)],
            ["characters of an option", spread(lengths.option.characters)],
          ]),
      ...used.map(([field, count]) => [`with ${field}`, share(count)]),
      ...(duplicates.texts.length === 0
        ? []
        : [
            [
              "questions asked on several videos",
              `${duplicates.texts.length}, such as ${JSON.stringify(duplicates.texts[0]?.text)} (${duplicates.texts[0]?.samples.length} times)`,
            ],
          ]),
    ],
    remarks: [],
  };
}

function positionTable({ counts, positions, balance }: OptionBalance): DescriptionTable {
  return {
    title: "Positions of the right option",
    rows: [
      ["position", "right", "expected if even"],
      ...positions.map(({ position, right, expected }) => [
        String(position),
        String(right),
        expected.toFixed(1),
      ]),
    ],
    remarks: [
      `Number of options, and samples with it: ${counts.map(({ options, samples }) => `${options} (${samples})`).join(", ")}.`,
      ...(balance === null
        ? []
        : [
            `Chi-square ${balance.chi_square.toFixed(2)} with ${balance.degrees} degrees of freedom, p ${small(balance.p)}${balance.p_by === "simulation" ? " (simulated, because expected counts are below 5)" : ""}.`,
          ]),
    ],
  };
}

function guessTable(options: OptionBalance): DescriptionTable {
  const { chance, most_frequent_letter: letter, longest_option: longest } = options;
  return {
    title: "Choices without looking",
    rows: [
      ["rule", "accuracy", "compared with a guess"],
      ["guess", percent(chance), ""],
      ...(letter === null
        ? []
        : [
            [
              `always ${letter.letter}, the most frequent letter`,
              percent(letter.accuracy),
              "see the positions: the most frequent letter is above a guess in every set",
            ],
          ]),
      ...(longest === null
        ? []
        : [
            [
              `the longest option (${longest.samples} samples have a single one)`,
              percent(longest.right / longest.samples),
              `${longest.right} right, ${longest.expected.toFixed(1)} expected, p ${small(longest.p)}`,
            ],
          ]),
    ],
    remarks: [],
  };
}

function groupTable({ kind, groups }: DataDescription["groups"][number]): DescriptionTable {
  const more = groups.length - MOST_LISTED;
  return {
    title: `Groups: ${kind}`,
    rows: [
      ["group", "samples"],
      ...groups.slice(0, MOST_LISTED).map(({ group, samples }) => [group, String(samples)]),
    ],
    remarks: more > 0 ? [`${more} more groups.`] : [],
  };
}

function videoTable({ videos, media }: DataDescription): DescriptionTable {
  const { files, missing, questions_per_video } = videos;
  return {
    title: "Videos",
    rows: [
      ["", ""],
      ["videos", String(files)],
      ["missing", String(missing.length)],
      ["questions on a video", spread(questions_per_video)],
    ],
    remarks: media === null ? ["The videos were not opened: --media does so."] : [],
  };
}

function mediaTable(media: MediaDescription): DescriptionTable {
  const { sizes, duration_s: duration, frames_per_second: fps } = media;
  const share = (count: number) => `${count} of ${media.opened}`;
  return {
    title: "Video files",
    rows: [
      ["", ""],
      ["opened", String(media.opened)],
      ["size of all files", `${(media.bytes / 1e6).toFixed(1)} MB`],
      ["length of all videos", secondsAndClock(media.total_s)],
      ["seconds of a video", spread(duration, 1)],
      ["frames per second", spread(fps, 2)],
      ...sizes.slice(0, MOST_LISTED).map(({ size, videos }) => [`pixels ${size}`, share(videos)]),
      ["with sound", share(media.with_sound)],
      ["with embedded subtitles", share(media.with_embedded_subtitles)],
    ],
    remarks: [],
  };
}

/** `3 to 7, mean 4.50, median 4`; one number if all are equal. */
function spread(of: Spread | null, places = 2): string {
  if (of === null) return "none";
  const number = (value: number) =>
    Number.isInteger(value) ? String(value) : value.toFixed(places);
  return of.min === of.max
    ? number(of.min)
    : `${number(of.min)} to ${number(of.max)}, mean ${of.mean.toFixed(places)}, median ${number(of.median)}`;
}

function small(p: number): string {
  return p < 0.0001 ? "below 0.0001" : p.toFixed(4);
}
