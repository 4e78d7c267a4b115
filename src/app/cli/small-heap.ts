import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** V8 has two spaces of this size for new objects. */
const SPACE_BYTES = 8 * 2 ** 20;
/** Growth of the heap for old objects, in percent of what was in use, before V8 collects them. */
const GROWTH_PERCENT = 100;
const ROUNDS = 50;

/**
 * Keeps V8's heap small. The space for new objects stays at 8 MB: it would grow to 16 MB while modules load, and stay
 * so. Old objects are collected when their heap has doubled: on a machine with much memory V8 waits until it is four
 * times as large. Sizes given to Node (`--max-semi-space-size`, `--heap-growing-percent`) stay.
 */
export function keepHeapSmall(): void {
  const given = flagsGiven();
  if (!given.includes("heap-growing"))
    setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  if (!given.includes("semi-space")) keepNewSpaceSmall();
}

/**
 * Lets V8 choose again when it collects old objects. The arrays of pictures count like these: with a small limit, a
 * command that reads pictures would spend a seventh of its time on collecting them.
 */
export function letHeapGrow(): void {
  if (!flagsGiven().includes("heap-growing")) setFlagsFromString("--heap-growing-percent=0");
}

const flagsGiven = () => [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");

function keepNewSpaceSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=8");
  // The space grows once more survives in it than it holds.
  const alive: object[] = [];
  for (let round = 0; round < ROUNDS && newSpace() < 2 * SPACE_BYTES; round++)
    for (let number = 0; number < 4000; number++) alive.push({ number });
  setFlagsFromString("--semi-space-growth-factor=1");
}

function newSpace(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return space?.space_size ?? 2 * SPACE_BYTES;
}
