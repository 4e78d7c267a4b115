import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pLimit from "p-limit";
import { writeAtomically } from "../core/atomic-file.ts";
import type { RunHeader, RunLog, RunSample } from "../core/contracts.ts";
import { Failure, systemCode, toFailure } from "../core/errors.ts";
import { lockFolder } from "./folder-lock.ts";
import { makeFolder } from "./make-folder.ts";
import {
  checkSample,
  isGoodLine,
  isSample,
  jsonOrUndefined,
  onlyMembers,
  readRunHeader,
} from "./run-line.ts";

const NEWLINE = 0x0a;

/** Contents of `samples.jsonl`: `size` in bytes, `whole` the bytes up to the end of the last valid line. */
interface Samples {
  good: Map<string, RunSample>;
  damaged: number;
  size: number;
  whole: number;
  /** Whether the last valid line has no line end. */
  open: boolean;
}

/** What `append` needs to know about the existing lines. */
type Index = Omit<Samples, "good" | "damaged"> & { good: Map<string, boolean> };

/** A run in a folder, created at the first write; other processes can read it while it is written. */
export function openRunLog(folder: string): RunLog {
  const root = resolve(folder);
  const headerFile = join(root, "header.json");
  const samplesFile = join(root, "samples.jsonl");
  const inTurn = pLimit(1);
  /** (sample, epoch) -> whether its result has no error; valid while the file has `size` bytes. */
  let index: Index | undefined;
  let made = false;

  async function load(members?: readonly string[]): Promise<Samples> {
    let bytes: Buffer;
    try {
      bytes = await readFile(samplesFile);
    } catch (error) {
      if (systemCode(error) !== "ENOENT")
        throw toFailure(error, "file-unreadable", `reading ${samplesFile}`);
      bytes = Buffer.alloc(0);
    }
    return parseSamples(bytes, members);
  }

  async function write(sample: RunSample): Promise<"written" | "kept"> {
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
      if (index?.size !== size) index = indexOf(await load([]));
      const key = keyOf(sample);
      if (index.good.get(key) === true) return "kept";
      if (index.whole < index.size) ftruncateSync(file, index.whole);
      const line = Buffer.from(`${index.open ? "\n" : ""}${JSON.stringify(sample)}\n`);
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
    read(members) {
      return inTurn(async () => {
        const read = await load(members);
        index = indexOf(read);
        return { samples: [...read.good.values()], damaged: read.damaged };
      });
    },
    append(sample) {
      return inTurn(async () => {
        checkSample(sample);
        try {
          return await write(sample);
        } catch (error) {
          throw toFailure(error, "file-unreadable", `writing ${samplesFile}`);
        }
      });
    },
  };
}

/** Lines by (sample, epoch). Other lines are counted; at the end of the file they are also outside `whole`. */
function parseSamples(bytes: Buffer, members?: readonly string[]): Samples {
  const found: Samples = { good: new Map(), damaged: 0, size: bytes.length, whole: 0, open: false };
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = end > start ? jsonOrUndefined(bytes.toString("utf8", start, end)) : undefined;
    const isWhole = isSample(line);
    if (isWhole) found.good.set(keyOf(line), onlyMembers(line, members));
    else if (end > start) found.damaged++;
    // No proper prefix of a JSON object is JSON, so a valid line without a line end is complete.
    if (isWhole || newline >= 0) {
      found.whole = newline < 0 ? end : newline + 1;
      found.open = newline < 0;
    }
    start = end + 1;
  }
  return found;
}

function indexOf({ good, damaged: _damaged, ...rest }: Samples): Index {
  return { ...rest, good: new Map([...good].map(([key, line]) => [key, isGoodLine(line)])) };
}

function keyOf({ sample, epoch }: RunSample): string {
  return `${epoch} ${sample}`;
}
