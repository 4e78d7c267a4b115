/** Accents and vowel points: Latin, Greek and Cyrillic, Hebrew, Arabic. Signs that make another letter stay. */
const DIACRITICS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Text in one form for each character and without diacritics, as it is indexed and searched. Case stays. */
export function foldText(text: string): string {
  return text.toWellFormed().normalize("NFKD").replace(DIACRITICS, "").normalize("NFC");
}
