/** Text in the form in which lists compare it: without case, and with one form for each character. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
