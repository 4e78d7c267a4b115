import { probe } from "../../src/media/probe.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { scan } from "../../src/media/scan.ts";
import { shotsOf } from "../../tools/video/shots.ts";
import { film, SHOT_S } from "./film.ts";
import { below, cpuOf, type Measured, median, told } from "./measured.ts";

const SECONDS = 240;
const ROUNDS = 3;
/** Seconds by which a found cut may differ from the real one: less than a frame. */
const NEAR_S = 0.03;

/** The cuts of a generated film and the CPU time to find them, next to ffmpeg's `scdet`. The median of three. */
export async function bench(): Promise<Measured[]> {
  const path = await film(SECONDS);
  const probed = await probe(path);
  const cuts = Array.from({ length: SECONDS / SHOT_S - 1 }, (_, i) => (i + 1) * SHOT_S);
  const own_s: number[] = [];
  const other_s: number[] = [];
  const ratios: number[] = [];
  let ours: number[] = [];
  let theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const other = await cpuOf(async () => {
      theirs = await scdet(path);
    });
    const own = await cpuOf(async () => {
      ours = shotsOf(await scan(path, probed))
        .slice(1)
        .map((shot) => shot.start_s);
    });
    own_s.push(own);
    other_s.push(other);
    ratios.push(own / other);
  }
  return [
    below(`cuts missed or added, of ${cuts.length}`, errors(ours, cuts), "cuts", 0),
    told("the same by scdet", errors(theirs, cuts), "cuts"),
    told("cuts that only one of both finds", errors(ours, theirs), "cuts"),
    told(`CPU of a scan and its shots, ${SECONDS} s of 360p`, median(own_s), "s"),
    told("CPU of scdet", median(other_s), "s"),
    below("CPU of a scan and its shots / CPU of scdet", median(ratios), "times", 2),
  ];
}

async function scdet(path: string): Promise<number[]> {
  const filter = "scdet=threshold=10,metadata=mode=print:key=lavfi.scd.time:file=-";
  const { stdout } = await runFfmpeg([...inputArgs(path), "-vf", filter, "-f", "null", "-"]);
  return [...stdout.toString().matchAll(/lavfi\.scd\.time=([\d.]+)/g)].map(([, t]) => Number(t));
}

/** Cuts that are not found, and found ones that are not cuts. */
function errors(found: readonly number[], cuts: readonly number[]): number {
  const unmatched = (some: readonly number[], others: readonly number[]) =>
    some.filter((a) => !others.some((b) => Math.abs(a - b) < NEAR_S)).length;
  return unmatched(found, cuts) + unmatched(cuts, found);
}
