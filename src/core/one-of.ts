/** `a, b or c`. Not by `Intl.ListFormat`: loading its locale takes longer than most of a command's modules. */
export function oneOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}
