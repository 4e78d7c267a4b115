/** `1 video`, `2 videos`; `plural` replaces the one in s. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
