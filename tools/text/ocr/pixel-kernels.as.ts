/*
 * Loops over the pixels of a picture, for WebAssembly: they are fast from their first call, and 8 or 16 pixels are computed
 * together. Compiled by `npm run kernels`. All pointers are addresses in the memory, whose layout is the caller's; rows may
 * be written up to 16 bytes beyond their end.
 */

/** First byte of the memory that is free. */
export function freeFrom(): usize {
  return (__heap_base + 15) & ~15;
}

/*
 * The median of a square around each pixel in constant time (Perreault and Hebert, "Median Filtering in Constant Time",
 * IEEE Transactions on Image Processing 16, 2007): each column has the counts of its levels within the rows of the window,
 * fine (256) and coarse (16). A window that moves to the right adds the counts of a column and subtracts those of another;
 * its fine counts are brought up to date only for the 16 levels that hold the median.
 */

const FINE: usize = 512;
const COARSE: usize = 32;

/** Bytes of `scratch` for `medians`. */
export function scratchOfMedians(width: i32, height: i32, window: i32): usize {
  const columns = <usize>(width + window - 1);
  return (
    columns * <usize>(height + window - 1) +
    16 +
    columns * (FINE + COARSE) +
    FINE +
    COARSE +
    16 * 4 +
    16
  );
}

/**
 * Writes the median of the square of `window` pixels (an odd number, at most 255) around each pixel. Pixels beyond the
 * border equal the nearest one of the border.
 */
export function medians(
  from: usize,
  width: i32,
  height: i32,
  window: i32,
  to: usize,
  scratch: usize,
): void {
  const columns = width + window - 1;
  const rows = height + window - 1;
  const radius = window >> 1;
  const size = <usize>columns * <usize>rows;
  const bordered = scratch;
  for (let y = 0; y < rows; y++) {
    const row = min(height - 1, max(0, y - radius));
    const source = from + <usize>row * width;
    const at = bordered + <usize>y * columns;
    memory.fill(at, load<u8>(source), radius);
    memory.copy(at + radius, source, width);
    memory.fill(at + radius + width, load<u8>(source + width - 1), radius);
  }
  const fine = (scratch + size + 15) & ~15;
  const coarse = fine + <usize>columns * FINE;
  memory.fill(fine, 0, <usize>columns * (FINE + COARSE));
  for (let y = 0; y < window - 1; y++)
    countRow(bordered + <usize>y * columns, columns, fine, coarse, 1);
  for (let y = 0; y < height; y++) {
    if (y > 0) countRow(bordered + <usize>(y - 1) * columns, columns, fine, coarse, -1);
    countRow(bordered + <usize>(y + window - 1) * columns, columns, fine, coarse, 1);
    medianRow(width, window, fine, coarse, to + <usize>y * width);
  }
}

function countRow(row: usize, columns: i32, fine: usize, coarse: usize, more: i32): void {
  for (let x = 0; x < columns; x++) {
    const level = <usize>load<u8>(row + x);
    const one = fine + <usize>x * FINE + level * 2;
    const some = coarse + <usize>x * COARSE + (level >> 4) * 2;
    store<u16>(one, load<u16>(one) + more);
    store<u16>(some, load<u16>(some) + more);
  }
}

function medianRow(width: i32, window: i32, fine: usize, coarse: usize, to: usize): void {
  const half = (window * window) >> 1;
  // After the columns: the fine counts of the window, and the column up to which each 16 of them are up to date.
  const own = coarse + <usize>(width + window - 1) * COARSE;
  const dates = own + FINE;
  const found = dates + 64;
  for (let part = 0; part < 16; part++) store<i32>(dates + part * 4, -window);
  let low = i16x8.splat(0);
  let high = i16x8.splat(0);
  for (let x = 0; x < window - 1; x++) {
    const column = coarse + <usize>x * COARSE;
    low = i16x8.add(low, v128.load(column));
    high = i16x8.add(high, v128.load(column, 16));
  }
  for (let x = 0; x < width; x++) {
    const come = coarse + <usize>(x + window - 1) * COARSE;
    low = i16x8.add(low, v128.load(come));
    high = i16x8.add(high, v128.load(come, 16));
    const part = find(low, high, 0, half, found);
    const below = load<u16>(found) as i32;
    const counts = own + part * 32;
    bringUpToDate(fine + part * 32, counts, dates + part * 4, x, window);
    const level = find(v128.load(counts), v128.load(counts, 16), below, half, found);
    store<u8>(to + x, <u8>(part * 16 + level));
    const gone = coarse + <usize>x * COARSE;
    low = i16x8.sub(low, v128.load(gone));
    high = i16x8.sub(high, v128.load(gone, 16));
  }
}

/** Makes the counts of 16 levels those of the window that begins at column `x`. */
function bringUpToDate(fine: usize, counts: usize, date: usize, x: i32, window: i32): void {
  let from = load<i32>(date);
  let low = v128.load(counts);
  let high = v128.load(counts, 16);
  if (x - from > window >> 1) {
    low = i16x8.splat(0);
    high = i16x8.splat(0);
    for (let column = x; column < x + window; column++) {
      const come = fine + <usize>column * FINE;
      low = i16x8.add(low, v128.load(come));
      high = i16x8.add(high, v128.load(come, 16));
    }
  } else
    for (; from < x; from++) {
      const gone = fine + <usize>from * FINE;
      const come = gone + <usize>window * FINE;
      low = i16x8.add(low, i16x8.sub(v128.load(come), v128.load(gone)));
      high = i16x8.add(high, i16x8.sub(v128.load(come, 16), v128.load(gone, 16)));
    }
  v128.store(counts, low);
  v128.store(counts, high, 16);
  store<i32>(date, x);
}

/**
 * The first of 16 counts with which the sum of it and of those before, and `below`, exceeds `half`. Writes the sum before it
 * to `before`.
 */
function find(low: v128, high: v128, below: i32, half: i32, before: usize): usize {
  const most = i16x8.splat(<i16>half);
  let sums = i16x8.add(runningSums(low), i16x8.splat(<i16>below));
  let over = i16x8.bitmask(i16x8.gt_u(sums, most));
  let index: usize = 0;
  let previous = below;
  if (over === 0) {
    index = 8;
    previous = <i32>i16x8.extract_lane_u(sums, 7);
    sums = i16x8.add(runningSums(high), i16x8.splat(<i16>previous));
    over = i16x8.bitmask(i16x8.gt_u(sums, most));
  }
  const lane = ctz(over);
  v128.store(before, sums, 16);
  if (lane > 0) previous = <i32>load<u16>(before + 14 + <usize>lane * 2);
  store<u16>(before, <u16>previous);
  return index + lane;
}

function runningSums(counts: v128): v128 {
  const zero = i16x8.splat(0);
  const two = i16x8.add(counts, i16x8.shuffle(zero, counts, 7, 8, 9, 10, 11, 12, 13, 14));
  const four = i16x8.add(two, i16x8.shuffle(zero, two, 6, 7, 8, 9, 10, 11, 12, 13));
  return i16x8.add(four, i16x8.shuffle(zero, four, 4, 5, 6, 7, 8, 9, 10, 11));
}

/*
 * Ink and background. Each pixel of a reduced plane of medians stands for `part` columns and `part` rows.
 */

/**
 * Counts the pixels of rows for each difference from the background, in two tables of 256 numbers, one after the other: the
 * next pixel often has the same difference and need not wait.
 */
export function countDifferences(
  pixels: usize,
  width: i32,
  rows: i32,
  medians: usize,
  reduced: i32,
  part: i32,
  counts: usize,
): void {
  for (let y = 0; y < rows; y++)
    countDifferencesIn(
      pixels + <usize>y * width,
      width,
      medians + <usize>(y / part) * reduced,
      part,
      counts,
    );
}

function countDifferencesIn(
  pixels: usize,
  width: i32,
  medians: usize,
  part: i32,
  counts: usize,
): void {
  let x = 0;
  for (let column = 0; x < width; column++) {
    const median = <i32>load<u8>(medians + column);
    const end = min(width, x + part);
    for (; x + 1 < end; x += 2) {
      add(counts + (abs(<i32>load<u8>(pixels + x) - median) << 2));
      add(counts + 1024 + (abs(<i32>load<u8>(pixels + x, 1) - median) << 2));
    }
    if (x < end) add(counts + (abs(<i32>load<u8>(pixels + x++) - median) << 2));
  }
}

function add(at: usize): void {
  store<i32>(at, load<i32>(at) + 1);
}

/** Writes the background of rows, and 1 for pixels that are darker or lighter than it by more than `contrast`, otherwise 0. */
export function separate(
  pixels: usize,
  width: i32,
  rows: i32,
  medians: usize,
  reduced: i32,
  part: i32,
  contrast: i32,
  background: usize,
  dark: usize,
  light: usize,
): void {
  for (let y = 0; y < rows; y++) {
    const at = <usize>y * width;
    if (y % part === 0) spread(medians + <usize>(y / part) * reduced, width, part, background + at);
    else memory.copy(background + at, background + at - width, width);
  }
  const end = <usize>rows * width;
  for (let at: usize = 0; at < end; at += 16 * 64)
    separatePixels(pixels, background, dark, light, at, min(end, at + 16 * 64), contrast);
}

function spread(medians: usize, width: i32, part: i32, to: usize): void {
  let x = 0;
  for (let column = 0; x < width; column++) {
    const median = load<u8>(medians + column);
    for (let end = min(width, x + part); x < end; x++) store<u8>(to + x, median);
  }
}

function separatePixels(
  pixels: usize,
  background: usize,
  dark: usize,
  light: usize,
  from: usize,
  to: usize,
  contrast: i32,
): void {
  const least = i8x16.splat(<i8>contrast);
  const zero = i8x16.splat(0);
  const one = i8x16.splat(1);
  for (let at = from; at < to; at += 16) {
    const here = v128.load(pixels + at);
    const behind = v128.load(background + at);
    const deep = i8x16.sub_sat_u(i8x16.sub_sat_u(behind, here), least);
    const bright = i8x16.sub_sat_u(i8x16.sub_sat_u(here, behind), least);
    v128.store(dark + at, v128.and(i8x16.ne(deep, zero), one));
    v128.store(light + at, v128.and(i8x16.ne(bright, zero), one));
  }
}

/*
 * Doubling the size of a plane by cubic interpolation: the level halfway between two pixels, on the Catmull-Rom curve through
 * four neighbours.
 */

function between(a: v128, b: v128, c: v128, d: v128): v128 {
  const inner = i16x8.mul(i16x8.add(b, c), i16x8.splat(9));
  const outer = i16x8.add(a, d);
  return i16x8.shr_s(i16x8.add(i16x8.sub(inner, outer), i16x8.splat(8)), 4);
}

/** Bytes of `scratch` for `enlarge`. */
export function scratchOfEnlarge(width: i32): usize {
  return <usize>width + 64 + 4 * strideOf(width);
}

function strideOf(width: i32): usize {
  return (<usize>width * 4 + 64) & ~15;
}

/** Writes a plane of twice the width and height. Pixels beyond the border equal the nearest one of the border. */
export function enlarge(from: usize, width: i32, height: i32, to: usize, scratch: usize): void {
  const stride = strideOf(width);
  // Four widened rows, of numbers of 16 bits: values beyond black and white count for the rows between.
  const rows = scratch + ((<usize>width + 64) & ~15);
  const wide = <usize>width * 2;
  for (let row = 0; row < min(2, height); row++)
    widen(from + <usize>row * width, width, rows + <usize>row * stride, scratch);
  for (let y = 0; y < height; y++) {
    if (y > 0 && y + 1 < height)
      widen(from + <usize>(y + 1) * width, width, rows + <usize>((y + 1) & 3) * stride, scratch);
    const at = to + <usize>y * 2 * wide;
    blend(
      rows + <usize>(max(0, y - 2) & 3) * stride,
      rows + <usize>(max(0, y - 1) & 3) * stride,
      rows + <usize>(y & 3) * stride,
      rows + <usize>(min(height - 1, y + 1) & 3) * stride,
      wide,
      at,
    );
    narrow(rows + <usize>(y & 3) * stride, wide, at + wide);
  }
}

/** Writes each pixel of a row after the level between it and the pixel before, as numbers of 16 bits. */
function widen(row: usize, width: i32, to: usize, scratch: usize): void {
  store<u8>(scratch, load<u8>(row));
  store<u8>(scratch, load<u8>(row), 1);
  memory.copy(scratch + 2, row, width);
  memory.fill(scratch + 2 + width, load<u8>(row + width - 1), 16);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const at = scratch + x;
    const here = v128.load_ext<u8>(at, 2);
    const levels = between(
      v128.load_ext<u8>(at),
      v128.load_ext<u8>(at, 1),
      here,
      v128.load_ext<u8>(at, 3),
    );
    v128.store(to + x * 4, i16x8.shuffle(levels, here, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to + x * 4, i16x8.shuffle(levels, here, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

function blend(a: usize, b: usize, c: usize, d: usize, wide: usize, to: usize): void {
  for (let x: usize = 0; x < wide; x += 8) {
    const at = x * 2;
    const levels = between(
      v128.load(a + at),
      v128.load(b + at),
      v128.load(c + at),
      v128.load(d + at),
    );
    v128.store64_lane(to + x, i8x16.narrow_i16x8_u(levels, levels), 0);
  }
}

function narrow(row: usize, wide: usize, to: usize): void {
  for (let x: usize = 0; x < wide; x += 8) {
    const levels = v128.load(row + x * 2);
    v128.store64_lane(to + x, i8x16.narrow_i16x8_u(levels, levels), 0);
  }
}
