const named = new Set<string>();

/** Records a file of servers that somebody named for this process. */
export function markNamed(path: string): void {
  named.delete(path);
  named.add(path);
}

/** Files of servers that this process has started, the last one last. */
export function serverFiles(): string[] {
  return [...named];
}

/** Forgets the files, between the runs of a process that are independent of each other, such as those of tests. */
export function forgetServerFiles(): void {
  named.clear();
}
