import { hashOf } from "../../src/core/hash.ts";
import { tools as ownTools } from "../agent/define-tool.ts";

/** Characters of a function's name that OpenAI and Gemini accept. */
const MOST_NAME_CHARACTERS = 64;

/**
 * `weather__forecast`: a name that OpenAI and Gemini accept, and that no tool of another server has. `taken`: names of the
 * tools before.
 */
export function publicName(server: string, tool: string, taken: Set<string>): string {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  const isPlain = /^[A-Za-z][A-Za-z0-9-]*(_[A-Za-z0-9-]+)*$/.test(server);
  const whole = `${plain(server)}__${plain(tool)}`.replace(/^(?![A-Za-z])/, "s_");
  const suffix = `_${hashOf([server, tool]).slice(0, 8)}`;
  const isUsable = isPlain && whole.length <= MOST_NAME_CHARACTERS && !isTaken(whole, taken);
  const name = isUsable
    ? whole
    : `${whole.slice(0, MOST_NAME_CHARACTERS - suffix.length)}${suffix}`;
  taken.add(name);
  return name;
}

function isTaken(name: string, taken: ReadonlySet<string>): boolean {
  return taken.has(name) || ownTools.find(name) !== undefined;
}
