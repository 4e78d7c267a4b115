import { sha256 } from "../src/core/hash.ts";

/**
 * SHA-256 by which a prompt's wording is compared with a released one: every hole (`{name}` or `{{name}}`) as `{}`,
 * every run of white space as one blank, ends trimmed, in UTF-8.
 */
export function wordingHash(template: string): string {
  const holes = template.replace(/\{\{[^{}]*\}\}/g, "{}").replace(/\{[^{}]*\}/g, "{}");
  return sha256(holes.replace(/\s+/g, " ").trim());
}
