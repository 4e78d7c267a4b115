import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { Failure, oneLine } from "../../../src/core/errors.ts";
import { decodeText } from "../subtitles/decode-text.ts";
import { parseTranscript } from "./parse-transcript.ts";
import type { ParsedTranscript } from "./parse-transcript-json.ts";

const MOST_FILE_BYTES = 64 * 2 ** 20;
/** JSON first: it holds confidence and speakers, which SRT lacks. */
const FORMATS = [".json", ".jsonl", ".vtt", ".srt", ""];
const READABLE = "SRT, WebVTT, or JSON as Whisper, whisper.cpp or WhisperX write it";

/**
 * Returns the transcript that a program wrote: the first readable one among the files of its folder, except its `input`,
 * and what it printed. `label` names the program in messages. Throws `Failure` `program-failed`.
 */
export async function readTranscript(
  folder: string,
  input: string,
  printed: string,
  label: string,
): Promise<ParsedTranscript> {
  const failed = (what: string) => new Failure("program-failed", `${label} ${what}.`);
  let unreadable: { name: string; text: string } | undefined;
  for (const name of await writtenFiles(folder, input)) {
    const path = join(folder, name);
    const { size } = await stat(path);
    if (size > MOST_FILE_BYTES)
      throw failed(`wrote ${Math.ceil(size / 2 ** 20)} MB to ${name}; the limit is 64 MB`);
    const { text } = decodeText(await readFile(path));
    const read = parseTranscript(text);
    if (read !== null) return read;
    unreadable ??= { name, text };
  }
  if (printed.trim() !== "") {
    const read = parseTranscript(printed);
    if (read !== null) return read;
    unreadable ??= { name: "standard output", text: printed };
  }
  throw unreadable === undefined
    ? failed(`wrote nothing: it has to write ${READABLE}, to standard output or to {output}`)
    : failed(
        `wrote text to ${unreadable.name} that is not ${READABLE}; it begins: ${oneLine(unreadable.text, 120)}`,
      );
}

/** Names of files in a readable format, the richest format first. */
async function writtenFiles(folder: string, input: string): Promise<string[]> {
  return (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== input)
    .map(({ name }) => ({ name, rank: FORMATS.indexOf(extname(name).toLowerCase()) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}
