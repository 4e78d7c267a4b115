import type { z } from "zod";
import { describeExpected } from "../describe-issue.ts";
import { Failure } from "../errors.ts";
import { settingsSchema } from "./assemble.ts";
import { listSettings, valueAt } from "./list-settings.ts";
import type { Settings } from "./schema.ts";

/**
 * Validates settings and fills in defaults.
 * Throws `Failure` `wrong-setting` for a value out of range, an unknown name, or one that the strategy does not read.
 */
export function readSettings(input: unknown): Settings {
  const read = settingsSchema().schema.safeParse(input ?? {});
  if (!read.success) throw settingFailure(read.error, input);
  const settings = read.data as Settings;
  for (const setting of listSettings()) {
    if (setting.strategies === null || setting.strategies.includes(settings.strategy)) continue;
    const given = valueAt(input, setting.path);
    if (given === undefined || given === setting.default) continue;
    throw new Failure(
      "wrong-setting",
      `The strategy \`${settings.strategy}\` does not read \`--${setting.flag}\` (${setting.path}), which is ${JSON.stringify(given)}. Leave it out, or use one of the strategies ${setting.strategies.join(", ")}.`,
      { path: setting.path, flag: setting.flag, given, strategy: settings.strategy },
    );
  }
  checkMediaSettings(settings);
  checkSpeechSettings(settings);
  return settings;
}

function checkSpeechSettings({ recognition }: Settings): void {
  const { speech, speech_language, transcriber, subtitles } = recognition;
  if (speech_language !== null && transcriber === null)
    throw new Failure(
      "wrong-setting",
      `Invalid --speech-language ${speech_language}: no engine transcribes speech. Name one with \`--transcriber\`, for example \`openai:whisper-1\`, or leave it out.`,
      { path: "recognition.speech_language", missing: "recognition.transcriber" },
    );
  if (speech !== "always") return;
  const [problem, path] =
    transcriber === null
      ? ["name the engine with `--transcriber`, for example `openai:whisper-1`", "transcriber"]
      : [
          "it needs `--subtitles full`, `aligned` or `retrieved`, which apply to speech too",
          "subtitles",
        ];
  if (transcriber !== null && subtitles !== "off") return;
  throw new Failure("wrong-setting", `Invalid --speech always: ${problem}.`, {
    path: "recognition.speech",
    missing: `recognition.${path}`,
  });
}

/** Settings for how a server samples a video have no effect on frames. */
function checkMediaSettings({ recognition }: Settings): void {
  if (recognition.media === "video") return;
  const given = listSettings().find(
    ({ path }) => path.startsWith("recognition.video_") && valueAt({ recognition }, path) !== null,
  );
  if (given === undefined) return;
  throw new Failure(
    "wrong-setting",
    `\`--${given.flag}\` (${given.path}) has no effect on frames: it sets how the server samples a video. Add \`--media video\`, or leave it out.`,
    { path: given.path, flag: given.flag },
  );
}

function settingFailure(error: z.ZodError, input: unknown): Failure {
  const issue = error.issues[0];
  if (issue === undefined) return new Failure("wrong-setting", "The settings could not be read.");
  const path = issue.path.join(".");
  const known = listSettings();
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => [...issue.path, key].join("."));
    return new Failure(
      "wrong-setting",
      `Unknown setting ${names.map((name) => `\`${name}\``).join(", ")}: use one of ${known
        .map((setting) => setting.path)
        .filter((name) => path === "" || name.startsWith(`${path}.`))
        .join(", ")}.`,
      { unknown: names },
    );
  }
  const setting = known.find((item) => item.path === path);
  const given = valueAt(input, path);
  const expected =
    setting?.choices != null
      ? `one of ${setting.choices.join(", ")}`
      : (setting?.range ?? describeExpected(issue));
  const shown = setting?.secret ? "" : ` ${JSON.stringify(given)}`;
  const where =
    setting === undefined ? `${path || "settings"}${shown}` : `--${setting.flag}${shown} (${path})`;
  return new Failure("wrong-setting", `Invalid ${where}: use ${expected}.`, {
    path,
    ...(setting?.secret ? {} : { given }),
    flag: setting?.flag,
  });
}
