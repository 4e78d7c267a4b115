/** Languages of tesseract, joined by plus signs, such as `deu` and `eng+chi_sim`. */
export const OCR_LANGUAGES_EXPECTED =
  "codes of tesseract joined by +, such as deu, chi_sim or eng+fra";

const MOST_LANGUAGES = 8;

/** Whether it is the form of a code, such as `eng`, `chi_sim` and `uzb_cyrl`: no path and no package of another scope. */
export function isLanguageCode(code: string): boolean {
  return /^[a-z]{3,8}(?:_[a-z]{2,8}){0,2}$/i.test(code);
}

/** Reads `eng+fra`; null for anything else. */
export function parseOcrLanguages(given: string): string[] | null {
  const codes = given.split("+");
  return codes.length <= MOST_LANGUAGES && codes.every(isLanguageCode) ? [...new Set(codes)] : null;
}

/** The settings that say how text is read, as the arguments of a reading; empty without any of them. */
export function ocrLanguages({
  ocr_language,
  ocr_data,
}: {
  ocr_language: string | null;
  ocr_data: string | null;
}): { languages?: string[]; data?: string } {
  const languages = ocr_language === null ? null : parseOcrLanguages(ocr_language);
  return {
    ...(languages === null ? {} : { languages }),
    ...(ocr_data === null ? {} : { data: ocr_data }),
  };
}
