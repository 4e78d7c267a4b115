/** Kinds of evidence that hold words to be searched. */
export const SEARCHED_KINDS = ["caption", "text", "equation", "subtitle"] as const;
