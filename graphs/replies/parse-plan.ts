import { Plan } from "../../tools/mathematics/plan.ts";
import { finalText } from "./reply-text.ts";

/** A plan, or one sentence on what is wrong with the reply. */
export type ParsedPlan = { plan: Plan } | { problem: string };

/** Reads the one JSON object of a reply, with any code fence around it. */
export function parsePlan(reply: string): ParsedPlan {
  const text = finalText(reply);
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from < 0 || to < from) return { problem: "there was no JSON object in it." };
  const json = readJson(text.slice(from, to + 1));
  if (json === undefined)
    return { problem: "it was not JSON; inside strings a backslash is written twice." };
  const read = Plan.safeParse(json);
  if (read.success) return { plan: read.data };
  const issues = read.error.issues.slice(0, 3);
  return {
    problem: issues
      .map(({ path, message }) => `\`${path.join(".") || "the object"}\`: ${message}`)
      .join("; "),
  };
}

/**
 * LaTeX with single backslashes is invalid JSON or means another character, so the version with doubled backslashes is
 * read first.
 */
function readJson(text: string): unknown {
  const doubled = text.replace(/(?<!\\)((?:\\\\)*)\\(?=[A-Za-z]{2,}|[,;:!{}| ()[\]])/g, "$1\\\\");
  for (const candidate of [doubled, text])
    try {
      return JSON.parse(candidate) as unknown;
    } catch {
      // Try the next candidate.
    }
  return undefined;
}
