/** Kinds of evidence with text, which searches cover. */
export const SEARCHED_KINDS = ["caption", "text", "equation", "subtitle"] as const;
