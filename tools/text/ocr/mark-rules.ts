/** How to step through the pixels of a mask: along each of `lines` lines, and from one line to the next. */
interface Steps {
  along: number;
  length: number;
  across: number;
  lines: number;
}

/** Changes 1 to 2 along straight runs that are long and thin. Ink of a letter that crosses a run is not changed. */
export function markRules(mask: Uint8Array, width: number, height: number): void {
  const long = Math.max(40, Math.round(Math.max(width, height) / 28));
  const thick = Math.max(3, Math.round(Math.max(width, height) / 400));
  const rows = { along: 1, length: width, across: width, lines: height };
  const columns = { along: width, length: height, across: 1, lines: width };
  const found = [rows, columns].flatMap((steps) => thinRuns(mask, steps, long, thick));
  for (const at of found) mask[at] = 2;
}

/** Pixels of the runs along the lines that are at least `long`, where they are at most `thick`. */
function thinRuns(mask: Uint8Array, steps: Steps, long: number, thick: number): number[] {
  const { along, length, across, lines } = steps;
  const found: number[] = [];
  for (let line = 0; line < lines; line++) {
    const first = line * across;
    let end = 0;
    // A run of this length contains one of these pixels.
    for (let probe = 0; probe < length; probe += long) {
      if (probe < end || mask[first + probe * along] !== 1) continue;
      let from = probe;
      while (from > end && mask[first + (from - 1) * along] === 1) from--;
      end = probe + 1;
      while (end < length && mask[first + end * along] === 1) end++;
      if (end - from < long) continue;
      for (let x = from; x < end; x++) {
        const at = first + x * along;
        if (thicknessAt(mask, at, across, line, lines, thick) <= thick) found.push(at);
      }
    }
  }
  return found;
}

/** Pixels of ink across a run, counted until they exceed `most` on one side. */
function thicknessAt(
  mask: Uint8Array,
  at: number,
  across: number,
  line: number,
  lines: number,
  most: number,
): number {
  let before = 0;
  while (before < line && before <= most && mask[at - (before + 1) * across]) before++;
  let after = 0;
  while (after < lines - 1 - line && after <= most && mask[at + (after + 1) * across]) after++;
  return before + after + 1;
}
