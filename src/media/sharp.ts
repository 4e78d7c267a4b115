import { createRequire } from "node:module";
import type sharpPackage from "sharp";

let loaded: typeof sharpPackage | undefined;

/** As sharp's own function. Loaded when the first picture is made or read: it is a library of 18 MB. */
export const sharp = ((...given: Parameters<typeof sharpPackage>) =>
  loadSharp()(...given)) as typeof sharpPackage;

/** Loads sharp, which takes about 50 ms, at a time when nothing else is to do. */
export function loadSharp(): typeof sharpPackage {
  loaded ??= createRequire(import.meta.url)("sharp") as typeof sharpPackage;
  return loaded;
}
