import { Failure } from "../../src/core/errors.ts";
import { isSweepFolder } from "../sweep/sweep-folder.ts";

/** Throws `Failure` `wrong-usage` if the folder already has an attribution or a sweep. */
export async function refuseSecondAttribution(folder: string): Promise<void> {
  if (!(await isSweepFolder(folder))) return;
  throw new Failure(
    "wrong-usage",
    `${folder} already contains an attribution or a sweep: continue it with \`attribute --resume ${folder}\`, or choose another folder.`,
    { folder },
  );
}

/** Throws `Failure` `not-found` if the folder has no runs of an attribution. */
export async function requireAttribution(folder: string): Promise<void> {
  if (await isSweepFolder(folder)) return;
  throw new Failure(
    "not-found",
    `${folder} is not the folder of an attribution: sweep.json is missing. Pass the folder that \`attribute --out\` made.`,
    { folder },
  );
}
