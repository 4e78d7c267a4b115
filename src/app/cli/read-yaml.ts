import { readFile } from "node:fs/promises";
import { Failure, oneLine, toFailure } from "../../core/errors.ts";

/** Reads a YAML file. Throws `Failure` `file-unreadable`, `wrong-setting`. */
export async function readYaml(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${file}`);
  }
  const { parse } = await import("yaml");
  try {
    return parse(text) ?? {};
  } catch (error) {
    throw new Failure(
      "wrong-setting",
      `Cannot parse ${file} as YAML: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      { file },
      { cause: error },
    );
  }
}
