import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pLimit from "p-limit";
import { writeAtomically } from "../core/atomic-file.ts";
import type { RunHeader, RunLog, RunSample } from "../core/contracts.ts";
import { Failure, systemCode, toFailure } from "../core/errors.ts";
import { jsonOrUndefined } from "../core/json-or-undefined.ts";
import { type FileLine, visitLines } from "./file-lines.ts";
import { lockFolder } from "./folder-lock.ts";
import { makeFolder } from "./make-folder.ts";
import { checkSample, isGoodLine, isSample, onlyMembers, readRunHeader } from "./run-line.ts";
import { summaryReader, summedLine, withoutSum } from "./summed-line.ts";

/** Contents of `samples.jsonl`: `size` in bytes, `whole` the bytes up to the end of the last valid line. */
interface Samples<T> {
  /** What was kept of the valid lines, by (sample, epoch). */
  kept: Map<string, T>;
  /** Whether each has no error. */
  good: Map<string, boolean>;
  damaged: number;
  size: number;
  whole: number;
  /** Whether the last valid line has no line end. */
  open: boolean;
}

/** What `append` needs to know about the existing lines. */
type Index = Omit<Samples<unknown>, "kept" | "damaged">;

/** A run in a folder, created at the first write; other processes can read it while it is written. */
export function openRunLog(folder: string): RunLog {
  const root = resolve(folder);
  const headerFile = join(root, "header.json");
  const samplesFile = join(root, "samples.jsonl");
  const inTurn = pLimit(1);
  /** (sample, epoch) -> whether its result has no error; valid while the file has `size` bytes. */
  let index: Index | undefined;
  let made = false;

  async function load<T>(
    members: readonly string[] | undefined,
    keep: (line: RunSample) => T,
  ): Promise<Samples<T>> {
    const empty = { damaged: 0, size: 0, whole: 0, open: false };
    const found: Samples<T> = { kept: new Map(), good: new Map(), ...empty };
    const readLine = lineReader(members);
    try {
      found.size = await visitLines(samplesFile, (line) => {
        const sample = addLine(found, line, readLine);
        if (sample !== undefined) found.kept.set(keyOf(sample), keep(sample));
      });
    } catch (error) {
      throw toFailure(error, "file-unreadable", `reading ${samplesFile}`);
    }
    return found;
  }

  async function write(
    sample: RunSample,
    first: readonly string[] | undefined,
  ): Promise<"written" | "kept"> {
    if (!made) await makeFolder(root);
    made = true;
    // Synchronous: four calls of the thread pool take ten times as long as a line.
    const file = openSync(
      samplesFile,
      constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
      0o666,
    );
    try {
      const { size } = fstatSync(file);
      if (index?.size !== size) index = indexOf(await load([], () => null));
      const key = keyOf(sample);
      if (index.good.get(key) === true) return "kept";
      if (index.whole < index.size) ftruncateSync(file, index.whole);
      const text = first === undefined ? JSON.stringify(sample) : summedLine(sample, first);
      const line = Buffer.from(`${index.open ? "\n" : ""}${text}\n`);
      const before = index.whole;
      try {
        writeFileSync(file, line);
      } catch (error) {
        // A full disk left half a line: restore the file.
        ftruncateSync(file, before);
        index = undefined;
        throw error;
      }
      index.good.set(key, isGoodLine(sample));
      index = {
        good: index.good,
        size: before + line.length,
        whole: before + line.length,
        open: false,
      };
      return "written";
    } finally {
      closeSync(file);
    }
  }

  return {
    folder: root,
    async lock() {
      await makeFolder(root);
      return lockFolder(root);
    },
    async readHeader() {
      let text: string;
      try {
        text = await readFile(headerFile, "utf8");
      } catch (error) {
        if (systemCode(error) === "ENOENT")
          throw new Failure("not-found", `There is no run in ${root}: header.json is missing.`, {
            folder: root,
          });
        throw toFailure(error, "file-unreadable", `reading ${headerFile}`);
      }
      return readRunHeader(text, headerFile);
    },
    async writeHeader(header: RunHeader) {
      await inTurn(async () => {
        await makeFolder(root);
        await writeAtomically(headerFile, `${JSON.stringify(header, null, 2)}\n`);
      });
    },
    read<T extends RunSample = RunSample>(
      members?: readonly string[],
      keep = (line: RunSample) => line as T,
    ) {
      return inTurn(async () => {
        const read = await load(members, keep);
        index = indexOf(read);
        return { samples: [...read.kept.values()], damaged: read.damaged };
      });
    },
    append(sample, first) {
      return inTurn(async () => {
        checkSample(sample);
        try {
          return await write(sample, first);
        } catch (error) {
          throw toFailure(error, "file-unreadable", `writing ${samplesFile}`);
        }
      });
    },
  };
}

/** Adds a line, and returns its result. Other lines are counted; at the end of the file they are also outside `whole`. */
function addLine(
  found: Samples<unknown>,
  { bytes, end, isEnded }: FileLine,
  readLine: (bytes: Buffer) => unknown,
): RunSample | undefined {
  const line = bytes.length > 0 ? readLine(bytes) : undefined;
  const isWhole = isSample(line);
  if (isWhole) found.good.set(keyOf(line), isGoodLine(line));
  else if (bytes.length > 0) found.damaged++;
  // No proper prefix of a JSON object is JSON, so a valid line without a line end is complete.
  if (isWhole || isEnded) {
    found.whole = end;
    found.open = !isEnded;
  }
  return isWhole ? line : undefined;
}

/** Returns a function that reads these members of a line. */
function lineReader(members: readonly string[] | undefined): (bytes: Buffer) => unknown {
  const summaryOf = members === undefined ? () => undefined : summaryReader(members);
  return (bytes) => {
    const summary = summaryOf(bytes);
    if (isSample(summary)) return summary;
    const line = jsonOrUndefined(bytes.toString());
    return isSample(line) ? onlyMembers(withoutSum(line), members) : line;
  };
}

function indexOf({ kept: _kept, damaged: _damaged, ...rest }: Samples<unknown>): Index {
  return rest;
}

function keyOf({ sample, epoch }: RunSample): string {
  return `${epoch} ${sample}`;
}
