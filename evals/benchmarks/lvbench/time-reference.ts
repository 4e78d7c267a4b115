/**
 * The evidence spans of a question, as [start, end] in seconds: `00:15-00:19`, `1:02:03-1:02:10`, or several of them
 * between commas or semicolons; a single time is a moment. Null for any other text.
 */
export function readTimeReference(text: string): [number, number][] | null {
  const spans = text.split(/[,;\n]/).map(readSpan);
  return spans.every((span) => span !== null) ? spans : null;
}

function readSpan(text: string): [number, number] | null {
  const times = text.split(/[-–—~]/).map(readTime);
  const [start, end = start] = times;
  if (times.length > 2 || start == null || end == null || end < start) return null;
  return [start, end];
}

/** `mm:ss` or `hh:mm:ss`, with decimals. */
function readTime(text: string): number | null {
  if (!/^\s*(?:\d{1,3}:)?\d{1,3}:\d{1,2}(?:\.\d+)?\s*$/.test(text)) return null;
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
