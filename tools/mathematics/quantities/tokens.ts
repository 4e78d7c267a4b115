/* Splits a text into the words, figures and signs from which quantities are read. */

export interface Token {
  text: string;
  start: number;
  end: number;
}

const TOKEN =
  /\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:(?:[\u00a0\u2009\u202f]\d{3})+|(?: 000)+|(?: \d{3}){2,})(?![\d.,]*\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d+(?:\.\d+){2,}|\d+,\d{1,2}(?![\d,])|\d+(?:\.\d+)?|\.\d+|[¼½¾⅓⅔⅛]|°\s?[cf]\b|[ckm]?m[23](?![\da-z])|[a-zµω]+(?:\/[a-z]+)?[²³]?|\S/giu;

/** Returns the tokens of a text, in lower case, with their positions. */
export function tokensOf(text: string): Token[] {
  // A hyphen between words or digits and words joins them: `twenty-five`, `25-kilometre`.
  const plain = text
    .replace(/(?<=[a-z\d])[-‐‑](?=[a-z])/gi, " ")
    .replace(/(?<=\d)[oO](?=\d|\b)|(?<=\b\d*)[lI|](?=\d)|(?<=\d)[lI](?=\d|\b)/g, (letter) =>
      /o/i.test(letter) ? "0" : "1",
    );
  return [...plain.matchAll(TOKEN)].map(({ 0: word, index }) => ({
    text: plainToken(word),
    start: index,
    end: index + word.length,
  }));
}

/** Figures without separators of thousands, with a decimal point; all else in lower case. */
function plainToken(word: string): string {
  if (!/\d/.test(word)) return word.toLowerCase().replace(/\s/g, "");
  if (/^\d+,\d{1,2}$/.test(word)) return word.replace(",", ".");
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(word)) return word.replaceAll(".", "");
  return word.replace(/[,\s]/g, "");
}
