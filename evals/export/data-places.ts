import { isFailure } from "../../src/core/errors.ts";
import { type BenchmarkData, placesOf } from "../benchmarks/sample.ts";
import type { Results } from "../score/read-results.ts";

/**
 * Where the samples of results are in their data: id -> place from 0, also for a run that asked only some of them. Reads the
 * data of a run again; null, with a note, if they have changed or cannot be read.
 */
export async function dataPlaces(
  { name, benchmark, header, places }: Results,
  onNote?: (text: string) => void,
): Promise<ReadonlyMap<string, number> | null> {
  if (places !== undefined) return places;
  const unknown = (why: string) => {
    onNote?.(
      `doc_id of ${name} is null: ${why} Match its lines with the questions by their doc instead.`,
    );
    return null;
  };
  if (header === null)
    return unknown("a response file does not say where its questions are in the data; add --data.");
  const { path, folder, subset, load, hash } = header.data;
  let data: BenchmarkData;
  try {
    data = await benchmark.load(path ?? folder, { config: subset, settings: load });
  } catch (error) {
    if (isFailure(error)) return unknown(`its data cannot be read (${error.message})`);
    throw error;
  }
  return data.hash === hash
    ? placesOf(data)
    : unknown(`${data.files.join(", ")} in ${data.folder} has changed since the run started.`);
}
