/* Work that the process may end before it is done: a user's code calls `process.exit`, or waits for what never happens. */

const doing: string[] = [];

/** Does `work`; `what` is the sentence for a process that ends meanwhile. */
export async function whileUnfinished<T>(what: string, work: () => Promise<T>): Promise<T> {
  doing.push(what);
  try {
    return await work();
  } finally {
    doing.splice(doing.lastIndexOf(what), 1);
  }
}

/** The sentence of the work that began last and is not done; null if all is done. */
export function unfinishedWork(): string | null {
  return doing.at(-1) ?? null;
}
