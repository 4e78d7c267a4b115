/** The largest share of the concurrent questions that one key may run. */
const MAX_SHARE = 0.75;

/** Questions of one owner that a process runs at once. */
export function mostOfOneKey(concurrency: number, withKeys: boolean): number {
  return withKeys ? Math.ceil(concurrency * MAX_SHARE) : concurrency;
}
