/**
 * Runs work on the same thing one after the other, so that none is based on a state that another one replaces.
 *
 * @example
 * const inTurn = createTurns();
 * await inTurn(question.id, () => edit(question));
 */
export function createTurns(): <T>(id: string, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<string, Promise<unknown>>();
  return (id, work) => {
    const before = turns.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (turns.get(id) === settled) turns.delete(id);
      });
    turns.set(id, settled);
    return mine;
  };
}
