import { sha256 } from "../src/core/hash.ts";

/**
 * SHA-256 for comparing the wording of a prompt with a released one: each hole (`{name}` or `{{name}}`) becomes `{}`,
 * each run of white space one space, ends are trimmed, in UTF-8.
 */
export function wordingHash(template: string): string {
  const holes = template.replace(/\{\{[^{}]*\}\}/g, "{}").replace(/\{[^{}]*\}/g, "{}");
  return sha256(holes.replace(/\s+/g, " ").trim());
}
