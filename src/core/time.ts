/** Seconds as `mm:ss` or `h:mm:ss`, rounded down: the label of a citation. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n).padStart(2, "0");
  const h = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return h > 0 ? `${h}:${rest}` : rest;
}

/** `70.533 s (01:10)`: a time as a model is told it, exact enough to name the same frame again. */
export function secondsAndClock(seconds: number): string {
  return `${Math.round(seconds * 1000) / 1000} s (${clock(seconds)})`;
}
