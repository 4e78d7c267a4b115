import type { z } from "zod";
import { Failure } from "../errors.ts";
import { expectedOf } from "../expected.ts";
import { assembled } from "./assemble.ts";
import { at, settingLeaves } from "./list-settings.ts";
import type { Settings } from "./schema.ts";

/**
 * Reads settings given by anyone, with defaults filled in.
 * Throws `Failure` `wrong-setting` for a value out of range, an unknown name, or one that the strategy does not read.
 */
export function readSettings(input: unknown): Settings {
  const read = assembled().schema.safeParse(input ?? {});
  if (!read.success) throw settingFailure(read.error, input);
  const settings = read.data as Settings;
  for (const leaf of settingLeaves()) {
    if (leaf.strategies === null || leaf.strategies.includes(settings.strategy)) continue;
    const given = at(input, leaf.path);
    if (given === undefined || given === leaf.default) continue;
    throw new Failure(
      "wrong-setting",
      `The strategy \`${settings.strategy}\` does not read \`--${leaf.flag}\` (${leaf.path}), which was ${JSON.stringify(given)}: leave it out, or choose one of ${leaf.strategies.join(", ")}.`,
      { path: leaf.path, flag: leaf.flag, given, strategy: settings.strategy },
    );
  }
  checkMediaSettings(settings);
  return settings;
}

/** How a server samples a video means nothing where frames are sent. */
function checkMediaSettings({ recognition }: Settings): void {
  if (recognition.media === "video") return;
  const given = settingLeaves().find(
    ({ path }) => path.startsWith("recognition.video_") && at({ recognition }, path) !== null,
  );
  if (given === undefined) return;
  throw new Failure(
    "wrong-setting",
    `\`--${given.flag}\` (${given.path}) needs \`--media video\`: it says how the server samples a video, and frames are sent here.`,
    { path: given.path, flag: given.flag },
  );
}

function settingFailure(error: z.ZodError, input: unknown): Failure {
  const issue = error.issues[0];
  if (issue === undefined) return new Failure("wrong-setting", "The settings could not be read.");
  const path = issue.path.join(".");
  const known = settingLeaves();
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => [...issue.path, key].join("."));
    return new Failure(
      "wrong-setting",
      `Unknown setting ${names.map((name) => `\`${name}\``).join(", ")}; known here: ${known
        .map((leaf) => leaf.path)
        .filter((name) => path === "" || name.startsWith(`${path}.`))
        .join(", ")}.`,
      { unknown: names },
    );
  }
  const leaf = known.find((item) => item.path === path);
  const given = at(input, path);
  const expected = leaf?.choices != null ? `one of ${leaf.choices.join(", ")}` : expectedOf(issue);
  const label = leaf === undefined ? `\`${path}\`` : `\`--${leaf.flag}\` (${path})`;
  return new Failure(
    "wrong-setting",
    leaf?.secret
      ? `Invalid ${label}: give it as ${expected}.`
      : `Expected ${label} to be ${expected}, got ${JSON.stringify(given)}.`,
    { path, ...(leaf?.secret ? {} : { given }), flag: leaf?.flag },
  );
}
