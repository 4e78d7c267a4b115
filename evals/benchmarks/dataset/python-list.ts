import { unescapePython } from "../python-escapes.ts";

const TEXT = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const ITEM = String.raw`${TEXT}|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|True|False|None|nan`;
const LIST = new RegExp(String.raw`^\s*\[\s*(?:${ITEM})(?:\s*,\s*(?:${ITEM}))*\s*,?\s*\]\s*$`, "s");
const ITEMS = new RegExp(ITEM, "gs");

/**
 * The texts of a list as Python prints it, which pandas writes into CSV files; null for `None` and `nan`. Numbers, `True`
 * and `False` stay as they are written. Null for any other text.
 */
export function pythonList(text: string): (string | null)[] | null {
  if (!LIST.test(text)) return null;
  return (text.match(ITEMS) ?? []).map((item) => {
    if (item === "None" || item === "nan") return null;
    return /^['"]/.test(item) ? unescapePython(item.slice(1, -1)) : item;
  });
}
