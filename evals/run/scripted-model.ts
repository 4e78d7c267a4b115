/** A model of a test server, told by its name. */
export function isScripted(model: string): boolean {
  return /^[^:]*:?scripted\b/.test(model);
}
