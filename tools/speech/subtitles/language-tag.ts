/**
 * Returns the canonical form of a language tag (`eng` -> `en`, `pt_br` -> `pt-BR`); null if it is invalid or
 * "undetermined".
 */
export function languageOf(tag: string): string | null {
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(tag)) return null;
  try {
    const locale = new Intl.Locale(tag.replaceAll("_", "-"));
    const named = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
    return locale.language === "und" || named.of(locale.language) === undefined
      ? null
      : locale.toString();
  } catch {
    // Well-formed, but not a language tag.
    return null;
  }
}

/** Whether two tags have the same base language, in any region. */
export function sameLanguage(a: string, b: string): boolean {
  return baseOf(a) === baseOf(b);
}

function baseOf(tag: string): string {
  const canonical = languageOf(tag);
  return canonical === null ? tag.toLowerCase() : new Intl.Locale(canonical).language;
}
