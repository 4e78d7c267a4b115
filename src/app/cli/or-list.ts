const LIST = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** `a, b or c`. */
export function oneOf(names: readonly string[]): string {
  return LIST.format(names);
}
