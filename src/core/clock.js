/*
 * JavaScript, because the service page loads this file unchanged.
 */

/**
 * Seconds as `mm:ss` or `h:mm:ss`, rounded down. Labels citations.
 * @param {number} seconds
 * @returns {string}
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
