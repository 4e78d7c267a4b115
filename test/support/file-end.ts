const left: (() => unknown)[] = [];

/** Does this when the test file ends, after its own hooks. `afterAll` is not possible within a hook or a test. */
export function atFileEnd(work: () => unknown): void {
  left.push(work);
}

/** Does what is left, the latest first. */
export async function endFile(): Promise<void> {
  for (const work of left.splice(0).reverse()) await work();
}
