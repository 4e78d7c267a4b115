import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseSync } from "@swc/core";

/* The public API of a module, read from its source: the declaration of each export, and the types it refers to. */

// biome-ignore lint/suspicious/noExplicitAny: nodes of the parser are distinguished by their `type`
type Node = any;

interface Source {
  text: string;
  imports: Map<string, { from: string; name: string }>;
  declarations: Map<string, Node[]>;
  /** `from`: the module that is re-exported. */
  exports: Map<string, { name: string; from?: string }>;
  stars: string[];
}

export interface Declaration {
  file: string;
  name: string;
}

const sources = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const source: Source = {
    text,
    imports: new Map(),
    declarations: new Map(),
    exports: new Map(),
    stars: [],
  };
  sources.set(file, source);
  for (const node of parseSync(text, { syntax: "typescript", target: "es2022" }).body as Node[])
    readStatement(node, source);
  return source;
}

function readStatement(node: Node, source: Source): void {
  const { imports, exports, stars, declarations } = source;
  const declare = (declaration: Node, isExported: boolean) => {
    const nodes = declaration.declarations ?? [declaration];
    for (const one of nodes) {
      const name = one.identifier?.value ?? one.id?.value;
      if (name === undefined) continue;
      declarations.set(name, [...(declarations.get(name) ?? []), one]);
      if (isExported) exports.set(name, { name });
    }
  };
  switch (node.type) {
    case "ImportDeclaration":
      for (const { local, imported } of node.specifiers)
        imports.set(local.value, {
          from: node.source.value,
          name: imported?.value ?? local.value,
        });
      break;
    case "ExportDeclaration":
      declare(node.declaration, true);
      break;
    case "ExportNamedDeclaration":
      for (const { orig, exported } of node.specifiers)
        exports.set(exported?.value ?? orig.value, {
          name: orig.value,
          ...(node.source == null ? {} : { from: node.source.value }),
        });
      break;
    case "ExportAllDeclaration":
      stars.push(node.source.value);
      break;
    default:
      declare(node, false);
  }
}

const resolveFrom = (file: string, from: string) => resolve(dirname(file), from);

/** The declaration of an export; null if it is in another package. */
function exported(file: string, name: string): Declaration | null {
  const source = sourceOf(file);
  const found = source.exports.get(name);
  if (found === undefined)
    return source.stars.reduce<Declaration | null>(
      (before, star) => before ?? exported(resolveFrom(file, star), name),
      null,
    );
  const { from = source.imports.get(found.name)?.from, name: local } = found;
  if (from === undefined) return { file, name: local };
  if (!from.startsWith(".")) return null;
  return exported(resolveFrom(file, from), source.imports.get(local)?.name ?? local);
}

/** Every name that a module exports, with its declaration. */
export function exportsOf(file: string): Map<string, Declaration> {
  const { exports, stars } = sourceOf(file);
  const found = new Map<string, Declaration>();
  for (const name of exports.keys()) {
    const declaration = exported(file, name);
    if (declaration !== null) found.set(name, declaration);
  }
  for (const star of stars)
    for (const [name, declaration] of exportsOf(resolveFrom(file, star)))
      found.set(name, declaration);
  return found;
}

/** The exported types of the project that a declaration refers to. */
export function namedTypes({ file, name }: Declaration): Declaration[] {
  const source = sourceOf(file);
  const names = new Set<string>();
  for (const node of source.declarations.get(name) ?? []) collect(node, names);
  return [...names].flatMap((used) => {
    const imported = source.imports.get(used);
    if (imported === undefined)
      return source.exports.get(used)?.name === used ? [{ file, name: used }] : [];
    if (!imported.from.startsWith(".")) return [];
    return exported(resolveFrom(file, imported.from), imported.name) ?? [];
  });
}

/** Adds the names of types below a node; function bodies and initial values are skipped. */
function collect(node: Node, names: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, names);
    return;
  }
  if (typeof node !== "object" || node === null || node.type === "BlockStatement") return;
  if (node.type === "TsTypeReference" && node.typeName.type === "Identifier")
    names.add(node.typeName.value);
  if (node.type === "TsExpressionWithTypeArguments" && node.expression.type === "Identifier")
    names.add(node.expression.value);
  for (const [member, value] of Object.entries(node)) {
    const isCode =
      member === "init" ||
      (member === "body" && node.type === "ArrowFunctionExpression") ||
      (member === "value" && node.type === "ClassProperty");
    if (!isCode) collect(value, names);
  }
}

/** Whether a declaration, or another of the same name, has a docstring. */
export function isDocumented({ file, name }: Declaration): boolean {
  const declared = `(?:const|(?:async )?function|interface|type|class) ${name}\\b`;
  return new RegExp(`\\*/\\n(?://[^\\n]*\\n)*export ${declared}`).test(sourceOf(file).text);
}
