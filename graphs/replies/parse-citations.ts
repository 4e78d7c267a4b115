/** The items a reply names, `[E2]` or `[E2, E5]`, in order of first mention; `known` are those that exist. */
export function parseCitations(
  text: string,
  known: { has(name: string): boolean },
): { cited: string[]; unknown: string[] } {
  const names = [...text.matchAll(/\[([^\][]*)\]/g)].flatMap((group) =>
    [...(group[1] ?? "").matchAll(/\bE\d+\b/gi)].map((match) => match[0].toUpperCase()),
  );
  const distinct = [...new Set(names)];
  return {
    cited: distinct.filter((name) => known.has(name)),
    unknown: distinct.filter((name) => !known.has(name)),
  };
}

/** The words of an answer without the names of what it cites. */
export function withoutCitations(text: string): string {
  return text
    .replace(/(?<!\s)\s*\[\s*E\d+(?:(?:\s*[,;])?\s*(?:and\s+)?E\d+)*\s*\]/gi, "")
    .replace(/(?<![ \t])[ \t]+\n/g, "\n")
    .trim();
}
