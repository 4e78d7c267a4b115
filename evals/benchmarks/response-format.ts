import type { Option } from "../../src/core/shapes.ts";
import type { Row } from "./data-files.ts";
import type { Sample } from "./sample.ts";

/** How the rows of a benchmark are recognised in the result files of other tools. */
export interface ResponseFormat {
  /** Fields of a row that identify its question. */
  clues: {
    /** Field with the name of the video. */
    video: string;
    /** Fields with ids of the question. */
    ids: readonly string[];
    /** Whether the ids are names, or only places in a list, which differ between releases. */
    numbered: "id" | "index";
    /** Field with the letter of the right answer, if there is one. */
    answer?: string;
    /** Whether a file may have names of videos instead of ids. */
    idsNameVideos?: boolean;
  };
  /** The options in a row or record; null if it has none. Default: `options`, a list of texts. */
  optionsOf?(row: Readonly<Row>): Option[] | null;
  /** Whether a row of data, as lmms-eval's logs keep it in `doc`, is one of this benchmark. */
  matchesRow(row: Row): boolean;
  /** Name of the subset that such a row is of, for benchmarks that have several. */
  subsetOf?(row: Row): string;
  /** The row of data that a record of the benchmark's own file holds, if that is not the record itself. */
  rowOf?(record: Row): Row;
  /** Group kinds that the samples of such rows lack. */
  unknownGroups?(samples: readonly Sample[]): string[];
  /** The format of the benchmark's own result files; it has the name of the benchmark. */
  file?: ResponseFile;
}

/** The format of a benchmark's own result files. */
export interface ResponseFile {
  /** The fields of a record, for messages: `qid and pred`. */
  fields: string;
  /** Whether a record is one of such a file, for example by its fields. */
  matchesRecord(record: Row): boolean;
  /** Chooses how the replies of a file are read. Throws `Failure` `wrong-usage` if `model` has to be named. */
  reader(
    records: readonly Row[],
    file: { name: string; model: string | undefined },
  ): (record: Row) => RecordedReply;
}

/** The reply in a record of a result file. */
export interface RecordedReply {
  /** The reply; anything other than a string is counted and becomes an empty reply. */
  reply: unknown;
  /** What replaces a missing reply, and the note under which it is counted. */
  fallback?: { reply: string; note: string };
}
