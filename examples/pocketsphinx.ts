/**
 * Lets pocketsphinx transcribe speech that consists of the words of a grammar (Debian packages pocketsphinx and
 * pocketsphinx-en-us), and prints the words with their times as JSON:
 *
 *   video-rrd ask film.mp4 "..." --transcriber "command:node pocketsphinx.ts {audio} pocketsphinx.jsgf"
 */
import { execFileSync } from "node:child_process";

const [audio, grammar] = process.argv.slice(2);
if (audio === undefined || grammar === undefined) {
  console.error("Usage: node pocketsphinx.ts SOUND.wav GRAMMAR.jsgf");
  process.exit(2);
}

// Lines such as `triangle(2) 0.050 0.870 1.000000`: word, start, end, confidence. Others are whole sentences.
const LINE = /^([a-z']+)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/;

const printed = execFileSync(
  "pocketsphinx_continuous",
  ["-infile", audio, "-jsgf", grammar, "-time", "yes", "-logfn", "/dev/null"],
  { encoding: "utf8", maxBuffer: 2 ** 28 },
);
const words = printed.split("\n").flatMap((line) => {
  const [, word, start, end] = LINE.exec(line) ?? [];
  return word === undefined ? [] : [{ word, start: Number(start), end: Number(end) }];
});
console.log(JSON.stringify({ segments: words }));
