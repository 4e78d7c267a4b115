import { chromaAt, type Scan, signatureAt } from "../../../src/media/scan.ts";

/**
 * A run of frames, `first` to `last`, that show the same light spot in the middle of a flat dark frame. `start` and
 * `end` (exclusive) include the frames of a fade in which the spot is too faint to see.
 */
export interface Candidate {
  start: number;
  end: number;
  first: number;
  last: number;
  /** The frame that shows the spot best. */
  best: number;
}

/** Grey level, 0 to 255, above which a background is not black or off-black. */
const DARKEST_SCENE = 72;
/** Levels by which a cell of the signature may differ from a flat background because of grain and compression. */
const FLAT = 7;
/** Share of the cells outside the middle that must be flat. A thin border around the frame is ignored. */
const FLAT_SHARE = 0.75;
/** The middle, where the text is: shares of width and height on each side of the centre. */
const MIDDLE = { x: 0.4, y: 0.22 };
/** The area in the middle that even a portrait video between bars covers. The background is measured here. */
const CORE = { x: 0.15, y: 0.3 };
/** Level of Cb and Cr without colour, and the distance from it that noise and compression cause. */
const NO_COLOUR = 128;
const COLOUR = 12;
/** Levels above the background from which a cell belongs to a spot. */
const SPOT = 4;
/** Levels by which cells change in a still picture. */
const STEADY = 2;
/** Correlation from which two spots count as the same text. */
const SAME = 0.93;
/** The same for a fading spot, which has more noise: while it has at least half its brightness, and below. */
const FADING = 0.9;
const FAINT = 0.7;
/** Share of the full brightness from which a spot does not count as fading. */
const FULL = 0.9;
/** Share of a card's frames that are fainter than its full brightness. */
const FULL_SHARE = 0.75;
/** Share of the greatest brightness from which a cell belongs to the text. */
const INKED = 0.2;
/** Share of the full brightness by which a frame of a fade may be brighter than its linear fit. */
const UNEVEN = 0.1;
/** A fade has a frame of at most this share: a fade of 2 frames leaves one at half the brightness. */
const FADED = 0.75;
/** Shortest and longest candidate, in seconds. A card is shown for 0.4 s or more, but not for minutes. */
const MIN_S = 0.15;
const MAX_S = 60;
/** The edge of the frame, where a border or a logo may be, as a share of each side. */
const EDGE = 0.07;

type Kind = "spot" | "blank" | "other";

/**
 * Returns runs of frames that could be title cards, in order. Whether they contain text is decided on a full-size
 * frame.
 */
export function findCandidates(scan: Scan): Candidate[] {
  const looks = new Looks(scan);
  return runsOf(looks)
    .filter(({ first, last }) => (scan.pts_s[last] ?? 0) - (scan.pts_s[first] ?? 0) <= MAX_S)
    .map((run) => withFades(run, looks))
    .filter((found) => durationOf(found, scan) >= MIN_S && isCentredLine(scan, found.best))
    .filter((found, _i, all) => !all.some((other) => isPartOf(found, other)));
}

function isPartOf(part: Candidate, whole: Candidate): boolean {
  return (
    part.first >= whole.first &&
    part.last <= whole.last &&
    part.last - part.first < whole.last - whole.first
  );
}

/** Whether the light of a frame lies in one box with the shape of a centred line of text. */
function isCentredLine(scan: Scan, frame: number): boolean {
  const { width, height } = scan;
  const picture = signatureAt(scan, frame);
  const margin = { x: Math.ceil(width * EDGE), y: Math.ceil(height * EDGE) };
  const inner: { x: number; y: number; level: number }[] = [];
  for (let y = margin.y; y < height - margin.y; y++)
    for (let x = margin.x; x < width - margin.x; x++)
      inner.push({ x, y, level: picture[y * width + x] ?? 0 });
  const levels = inner.map((cell) => cell.level).sort((a, b) => a - b);
  const dark = levels[levels.length >> 1] ?? 0;
  const threshold = dark + Math.max(SPOT, ((levels.at(-1) ?? 0) - dark) * 0.4);
  const lit = inner.filter((cell) => cell.level >= threshold);
  const extent = (places: number[], cells: number) => {
    const from = Math.min(...places) / cells;
    const to = (Math.max(...places) + 1) / cells;
    return { size: to - from, off: Math.abs((from + to) / 2 - 0.5) };
  };
  const across = extent(
    lit.map((cell) => cell.x),
    width,
  );
  const down = extent(
    lit.map((cell) => cell.y),
    height,
  );
  return across.off < 0.12 && down.off < 0.16 && down.size < 0.4 && across.size < 0.85;
}

/**
 * Measures the signatures for signs of cards. Spots are computed on request, because a long dark film has too many to
 * store.
 */
class Looks {
  readonly scan: Scan;
  readonly kinds: Kind[];
  readonly #core: number[] = [];
  readonly #middle: number[] = [];
  readonly #outside: number[] = [];
  readonly #backgrounds: Uint8Array;

  constructor(scan: Scan) {
    this.scan = scan;
    this.#backgrounds = new Uint8Array(scan.count);
    for (let y = 0; y < scan.height; y++)
      for (let x = 0; x < scan.width; x++) {
        const dx = Math.abs((x + 0.5) / scan.width - 0.5);
        const dy = Math.abs((y + 0.5) / scan.height - 0.5);
        const cell = y * scan.width + x;
        if (dx <= CORE.x && dy <= CORE.y) this.#core.push(cell);
        (dx <= MIDDLE.x && dy <= MIDDLE.y ? this.#middle : this.#outside).push(cell);
      }
    this.kinds = Array.from({ length: scan.count }, (_, i) => this.#kindOf(i));
  }

  /** Light of the middle above the background, cell by cell. */
  spot(frame: number): Float32Array {
    const picture = signatureAt(this.scan, frame);
    const background = this.#backgrounds[frame] ?? 0;
    const spot = new Float32Array(this.#middle.length);
    for (let i = 0; i < spot.length; i++)
      spot[i] = (picture[this.#middle[i] as number] ?? 0) - background;
    return spot;
  }

  /** Whether almost no cell of the middle differs from the previous frame, as in most frames of a still picture. */
  isSteady(frame: number): boolean {
    const before = signatureAt(this.scan, frame - 1);
    const picture = signatureAt(this.scan, frame);
    for (const cell of this.#middle)
      if (Math.abs((picture[cell] ?? 0) - (before[cell] ?? 0)) > STEADY) return false;
    return true;
  }

  /** Whether most of the frame has no colour. A dark scene may have some. */
  isGrey(frame: number): boolean {
    const colours = chromaAt(this.scan, frame);
    let coloured = 0;
    for (const level of colours) if (Math.abs(level - NO_COLOUR) > COLOUR) coloured++;
    return coloured < colours.length / 4;
  }

  #kindOf(frame: number): Kind {
    const picture = signatureAt(this.scan, frame);
    const background = this.#backgroundOf(picture);
    if (background > DARKEST_SCENE) return "other";
    this.#backgrounds[frame] = background;
    let flat = 0;
    for (const cell of this.#outside) if ((picture[cell] ?? 0) <= background + FLAT) flat++;
    if (flat < this.#outside.length * FLAT_SHARE) return "other";
    let peak = 0;
    let lit = 0;
    for (const cell of this.#middle) {
      const level = (picture[cell] ?? 0) - background;
      peak = Math.max(peak, level);
      if (level > FLAT) lit++;
    }
    if (lit > this.#middle.length / 2) return "other";
    return peak >= SPOT ? "spot" : "blank";
  }

  /** The lower third of the core, because large text may cover half of it. */
  #backgroundOf(picture: Uint8Array): number {
    const levels = new Uint16Array(256);
    for (const cell of this.#core) {
      const level = picture[cell] ?? 0;
      levels[level] = (levels[level] ?? 0) + 1;
    }
    let below = 0;
    let level = 0;
    while (level < 255 && below + (levels[level] ?? 0) <= this.#core.length / 3)
      below += levels[level++] ?? 0;
    return level;
  }
}

interface Run {
  first: number;
  last: number;
}

/** Groups consecutive frames with the same spot, at any brightness. */
function runsOf(looks: Looks): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [i, kind] of looks.kinds.entries()) {
    if (kind !== "spot") run = undefined;
    else if (run !== undefined && (looks.isSteady(i) || sameSpot(looks.spot(i - 1), looks.spot(i))))
      run.last = i;
    else {
      run = { first: i, last: i };
      runs.push(run);
    }
  }
  return runs;
}

/** Whether one spot is a brighter or darker version of the other. A different digit is detected. */
function sameSpot(a: Float32Array, b: Float32Array): boolean {
  const gain = gainOf(b, a);
  if (correlation(a, b) < SAME) return false;
  let worst = 0;
  let peak = 0;
  for (let i = 0; i < a.length; i++) {
    worst = Math.max(worst, Math.abs((b[i] ?? 0) - gain * (a[i] ?? 0)));
    peak = Math.max(peak, a[i] ?? 0, b[i] ?? 0);
  }
  const steady = Math.abs(gain - 1) < 0.03;
  return worst <= Math.max(4, peak * (steady ? 0.12 : 0.25));
}

/** The factor that brings `b` nearest to `a`. */
function gainOf(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += (a[i] ?? 0) * (b[i] ?? 0);
    bb += (b[i] ?? 0) ** 2;
  }
  return bb > 0 ? ab / bb : 0;
}

function correlation(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    ab += (a[i] ?? 0) * (b[i] ?? 0);
    aa += (a[i] ?? 0) ** 2;
    bb += (b[i] ?? 0) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/**
 * Extends a spot with a steady fade to the point where the linear fit of its brightness reaches zero, as far as the
 * frames there are dark. Blank frames next to a spot that appears or disappears at once belong to the clip.
 */
function withFades(run: Run, looks: Looks): Candidate {
  const { scan } = looks;
  const { frame: bright, model } = fullOf(run, looks);
  const inkAt = inkOf(model);
  const ink = (i: number) => inkAt(looks.spot(i));
  const fullInk = inkAt(model);
  const gains = new Map<number, number>();
  const gain = (i: number) => {
    const known = gains.get(i) ?? gainOf(ink(i), fullInk);
    gains.set(i, known);
    return known;
  };
  // Frames whose spot is too noisy to match by itself, but is the same and fainter.
  const fades = (i: number, inner: number) =>
    looks.kinds[i] === "spot" &&
    gain(i) < Math.min(FULL, gain(inner)) &&
    pattern(ink(i), fullInk) > (gain(i) > 0.5 ? FADING : FAINT);
  let { first, last } = run;
  while (fades(first - 1, first)) first--;
  while (fades(last + 1, last)) last++;

  const full: number[] = [];
  for (let i = first; i <= last; i++) if (gain(i) >= FULL) full.push(i);
  const best = full[full.length >> 1] ?? bright;
  const time = (i: number) => scan.pts_s[i] ?? 0;
  const dark_s = zeroOf(first, full[0] ?? bright, time, gain);
  const gone_s = zeroOf(full.at(-1) ?? bright, last, time, gain);
  // Too faint to match, and no brighter than the fade is then.
  const isDark = (i: number, inner: number, zero_s: number) =>
    looks.isGrey(i) &&
    (looks.kinds[i] === "blank" ||
      (looks.kinds[i] === "spot" &&
        gain(i) <
          gain(inner) * Math.max(0.5, (time(i) - zero_s) / (time(inner) - zero_s)) + UNEVEN));
  let start = first;
  if (dark_s !== null)
    while (isDark(start - 1, first, dark_s) && (time(start - 1) + time(start)) / 2 > dark_s)
      start--;
  let end = last + 1;
  // The frame at zero brightness may still belong to the fade. At most one such frame is included.
  if (gone_s !== null) while (isDark(end, last, gone_s) && time(end) <= gone_s) end++;
  return { start, end, first, last, best };
}

/**
 * Reads the light of a text in a spot: in the cells where the text is, above the median of the middle. While a
 * background fades, its blocks are updated at different times, which says nothing about the text.
 */
function inkOf(text: Float32Array): (spot: Float32Array) => Float32Array {
  const least = text.reduce((most, level) => Math.max(most, level), 0) * INKED;
  const cells = Uint32Array.from(text.keys()).filter((cell) => (text[cell] ?? 0) > least);
  return (spot) => {
    const around = spot.toSorted()[spot.length >> 1] ?? 0;
    return Float32Array.from(cells, (cell) => (spot[cell] ?? 0) - around);
  };
}

/** The correlation of two spots apart from their mean brightness. */
function pattern(a: Float32Array, b: Float32Array): number {
  const centred = (levels: Float32Array) => {
    const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
    return levels.map((level) => level - mean);
  };
  return correlation(centred(a), centred(b));
}

/**
 * The spot of a card at its full brightness: that of all but a quarter of the frames, because a background that fades
 * too makes some frames of the fade brighter.
 */
function fullOf({ first, last }: Run, looks: Looks): { frame: number; model: Float32Array } {
  const lights: { frame: number; light: number }[] = [];
  for (let frame = first; frame <= last; frame++) {
    let light = 0;
    for (const level of looks.spot(frame)) if (level > 0) light += level;
    lights.push({ frame, light });
  }
  lights.sort((a, b) => a.light - b.light);
  const frame = lights[Math.floor(lights.length * FULL_SHARE)]?.frame ?? first;
  return { frame, model: looks.spot(frame) };
}

/** The time at which the linear fit of the brightness of these frames is zero; null without a fade. */
function zeroOf(
  from: number,
  to: number,
  time: (i: number) => number,
  gain: (i: number) => number,
): number | null {
  if (to === from || Math.min(gain(from), gain(to)) > FADED) return null;
  let n = 0;
  let t = 0;
  let g = 0;
  for (let i = from; i <= to; i++) {
    n++;
    t += time(i);
    g += gain(i);
  }
  t /= n;
  g /= n;
  let tg = 0;
  let tt = 0;
  for (let i = from; i <= to; i++) {
    tg += (time(i) - t) * (gain(i) - g);
    tt += (time(i) - t) ** 2;
  }
  const slope = tt > 0 ? tg / tt : 0;
  return slope === 0 ? null : t - g / slope;
}

function durationOf({ start, end }: Candidate, scan: Scan): number {
  const typical =
    scan.count > 1 ? ((scan.pts_s.at(-1) ?? 0) - (scan.pts_s[0] ?? 0)) / (scan.count - 1) : 0;
  const after = end < scan.count ? (scan.pts_s[end] ?? 0) : (scan.pts_s[end - 1] ?? 0) + typical;
  return after - (scan.pts_s[start] ?? 0);
}
