/** Whether a name is that of a scripted model of a test server. */
export function isScripted(model: string): boolean {
  return /^[^:]*:?scripted\b/.test(model);
}
