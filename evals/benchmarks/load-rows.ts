import {
  type DataFolder,
  type MediaFolders,
  openDataFolder,
  type Row,
  rowsWith,
} from "./data-files.ts";
import type { BenchmarkData, Sample } from "./sample.ts";
import { createTally } from "./tally.ts";

/** The state while rows become samples. */
export interface LoadContext {
  data: DataFolder;
  /** By id. A sample of the same id replaces an earlier one. */
  samples: ReadonlyMap<string, Sample>;
  tally: ReturnType<typeof createTally>;
}

/**
 * Reads the rows of the published layout at `path` that have these columns, a sample from each; `readRow` tallies what
 * it corrects, and returns null for a row that it leaves out. Throws as `openDataFolder` and `rowsWith`.
 */
export async function loadRows(
  path: string,
  {
    title,
    columns,
    accept,
    variant = "",
    folders,
    expand = (row) => [row],
  }: {
    title: string;
    columns: readonly string[];
    accept?: (row: Row) => boolean;
    /** Follows the title in the message that rows of this kind are missing. */
    variant?: string;
    /** Where videos and subtitles lie. Default: `videos` and `subtitles`. */
    folders?: MediaFolders;
    /** The questions of a row that holds several. */
    expand?: (row: Row) => readonly Row[];
  },
  readRow: (row: Row, position: number, loading: LoadContext) => Sample | null,
): Promise<BenchmarkData> {
  const data = await openDataFolder(path, title, folders);
  const table = await rowsWith(data, columns, `${title}${variant}`, accept);
  const tally = createTally();
  for (const path of table.unused) tally.add("further data files of the same kind, not used", path);
  const samples = new Map<string, Sample>();
  const places = new Map<string, number>();
  for (const [position, row] of table.rows.flatMap(expand).entries()) {
    const sample = readRow(row, position, { data, samples, tally });
    if (sample === null) continue;
    samples.set(sample.id, sample);
    places.set(sample.id, position);
  }
  return {
    samples: [...samples.values()],
    places,
    notes: tally.notes(),
    folder: data.folder,
    packed: data.packed,
    files: table.files,
    hash: table.hash,
  };
}

/** A row that is not of the published form is counted and left out. */
export function unreadable(position: number, { tally }: LoadContext): null {
  tally.add("rows that could not be read", `row ${position}`);
  return null;
}

/** The video of a sample by the possible names of its file; the path of the first name if the file is missing. */
export function videoOf(
  names: readonly [string, ...string[]],
  shownName: string,
  { data, tally }: LoadContext,
): Pick<Sample, "video" | "hasVideo"> {
  const video = data.find("videos", names);
  const place = video ?? data.place("videos", names[0]);
  if (video === undefined) tally.add("videos missing", shownName, place);
  return { video: place, hasVideo: video !== undefined };
}
