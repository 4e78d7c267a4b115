import { readFileSync } from "node:fs";

/*
 * Loaded before a program (`node --import`): shifts its clock by the milliseconds in the file CLOCK_SHIFT_FILE, which
 * SIGUSR2 reads again. The monotonic clock does not change, as when a system clock is set.
 */

const RealDate = Date;
const file = process.env.CLOCK_SHIFT_FILE ?? "";
let shift_ms = 0;

function readShift(): void {
  shift_ms = Number(readFileSync(file, "utf8"));
}

class SetDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shift_ms);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + shift_ms;
  }
}

readShift();
process.on("SIGUSR2", readShift);
globalThis.Date = SetDate as DateConstructor;
