import { readFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { askGraph } from "../../graphs/ask-graph.ts";
import { Failure, isFailure } from "../core/errors.ts";
import { valueAt } from "../core/settings.ts";
import { allowFolders } from "./mcp/allowed-folders.ts";
import { readClientSettings } from "./mcp/client-settings.ts";
import { resolveSettings } from "./service/request-settings.ts";
import "./registry.ts";

/*
 * What `langgraph.json` names. Clients of a LangGraph server set what a caller may set, and read videos below the
 * folders of the operator, who configures it by environment variables, since the server passes it no arguments.
 */

/** Folders whose videos clients may read, separated as in PATH; default: the working folder. */
const folders = (process.env.VIDEO_RRD_ALLOW_FOLDER ?? process.cwd()).split(delimiter);
/** A YAML file of settings, such as the model. */
const file = process.env.VIDEO_RRD_SETTINGS;
/** Models that clients may name, separated by commas; default: any. */
const models =
  process.env.VIDEO_RRD_ALLOW_MODEL?.split(",")
    .map((name) => name.trim())
    .filter(Boolean) ?? null;

const allowed = await allowFolders(folders, async () => null);
const settings = file === undefined ? {} : await readOperatorSettings(file);
const own = { settings, models };
const data = valueAt(settings, "runtime.data") ?? ".video-rrd";

export const studioGraph = await askGraph({
  admit: async (asked) => ({
    video: await videoOf(asked.video),
    settings: resolveSettings(readClientSettings(byPath(asked.settings), own), own, String(data)),
  }),
});

/** `{ recognition: { frames: 8 } }` as `{ "recognition.frames": 8 }`. */
function byPath(settings: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(settings).flatMap(([group, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([name, member]) => [`${group}.${name}`, member])
      : [[group, value]],
  );
  return Object.fromEntries(entries);
}

async function videoOf(path: string): Promise<string> {
  try {
    return await allowed.resolve(path);
  } catch (error) {
    if (!isFailure(error, "wrong-usage")) throw error;
    throw new Failure(
      "wrong-usage",
      `${JSON.stringify(path.slice(0, 200))} is not in an allowed folder. The operator allows folders with VIDEO_RRD_ALLOW_FOLDER.`,
      error.facts,
      { cause: error },
    );
  }
}

async function readOperatorSettings(path: string): Promise<Record<string, unknown>> {
  try {
    return z.record(z.string(), z.unknown()).parse(parse(await readFile(path, "utf8")));
  } catch (error) {
    throw new Failure(
      "wrong-setting",
      `Invalid VIDEO_RRD_SETTINGS ${JSON.stringify(path)}: use a YAML file of settings that can be read.`,
      { path },
      { cause: error },
    );
  }
}
