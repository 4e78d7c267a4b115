/*
 * Joins the modules of a page into one script: a browser opens six connections at most, so that eighty small files take
 * longer than one of their size. A module becomes a function that returns what it exports, in the order in which a browser
 * would run them. It reads the forms of import and export that the page uses, and refuses others.
 */

const IMPORT = /^[ \t]*import\s*(?:(\* as )?([\w$]+)|\{([^}]*)\})\s*from\s*"([^"]+)";?/gm;
const EXPORT_FROM = /^export\s*\{([^}]*)\}\s*from\s*"([^"]+)";?/gm;
const EXPORT_DECLARATION = /^export\s+((?:async\s+)?function|class|const)\s+([\w$]+)/gm;
const EXPORT_LIST = /(^|[;}\s])export\s*\{([^}]*)\};?\s*$/g;
const EXPORT_DEFAULT = /(^|[;}])export default /gm;
const LEFT = /^[ \t]*(?:import|export)\b(?!\.)[^\n]{0,80}/m;

/**
 * One script that runs `entry` and everything it imports.
 * @param modules source texts by name; the name is what an import says, without `./`
 * Throws an `Error` for a missing module, a cycle of imports, and a form that it does not know.
 */
export function linkModules(modules: ReadonlyMap<string, string>, entry: string): string {
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const parts: string[] = [];

  function numberOf(given: string): number {
    const name = given.replace(/^\.\//, "");
    const known = numbers.get(name);
    if (known !== undefined) return known;
    if (open.includes(name))
      throw new Error(`Modules import each other: ${[...open, name].join(", ")}.`);
    const source = modules.get(name);
    if (source === undefined) throw new Error(`No module ${name} (for ${open.at(-1)}).`);
    open.push(name);
    const body = toFunction(source, name, (from) => `m${numberOf(from)}`);
    open.pop();
    const number = numbers.size;
    numbers.set(name, number);
    parts.push(`// ${name}\nconst m${number} = (() => {\n${body}\n})();\n`);
    return number;
  }

  numberOf(entry);
  return parts.join("");
}

/** The body of a function that does what the module does, and returns its exports. */
function toFunction(source: string, name: string, moduleOf: (name: string) => string): string {
  const exported: string[] = [];
  const body = source
    .replace(IMPORT, (_all, all?: string, whole?: string, names = "", from = "") => {
      const module = moduleOf(from);
      if (whole === undefined) return `const { ${pairs(names).join(", ")} } = ${module};`;
      return `const ${whole} = ${module}${all === undefined ? ".default" : ""};`;
    })
    .replace(EXPORT_FROM, (_all, names: string, from: string) => {
      const module = moduleOf(from);
      for (const pair of pairs(names)) {
        const [own = "", other = own] = pair.split(": ");
        exported.push(`${other}: ${module}.${own}`);
      }
      return "";
    })
    .replace(EXPORT_DECLARATION, (_all, kind: string, declared: string) => {
      exported.push(declared);
      return `${kind} ${declared}`;
    })
    .replace(EXPORT_LIST, (_all, before: string, names: string) => {
      for (const pair of pairs(names)) exported.push(pair.split(": ").reverse().join(": "));
      return before;
    })
    .replace(EXPORT_DEFAULT, (_all, before: string) => {
      exported.push("default: $default");
      return `${before}const $default = `;
    });
  const left = LEFT.exec(body)?.[0];
  if (left !== undefined) throw new Error(`Cannot join ${name}: unknown form ${left.trim()}`);
  return `${body}\nreturn { ${exported.join(", ")} };`;
}

/** `a, b as c` as `a` and `b: c`. */
function pairs(names: string): string[] {
  return names
    .split(",")
    .map((one) => one.trim().replace(/\s+as\s+/, ": "))
    .filter((one) => one !== "");
}
