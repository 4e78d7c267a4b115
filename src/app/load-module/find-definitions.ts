import type { z } from "zod";
import { describeExpected } from "../../core/describe-issue.ts";
import { isFailure } from "../../core/errors.ts";
import type { Definition, DefinitionKind } from "../../core/registry.ts";
import { KINDS } from "./kinds.ts";

/** A definition that a module exports. */
export interface FoundDefinition {
  kind: DefinitionKind;
  definition: Definition;
  isDefault: boolean;
}

const KIND_NAMES = Object.keys(KINDS) as DefinitionKind[];

/**
 * The definitions among the exports of a module, each once, in the order of the kinds. Definitions registered before,
 * such as a built-in one that is exported again, are left out unless they came from this module.
 *
 * @throws an `Error` whose message is a clause that describes the problem of a definition
 */
export function findDefinitions(
  exported: Readonly<Record<string, unknown>>,
  wanted: DefinitionKind | null,
  isBuiltIn: (kind: DefinitionKind, definition: unknown) => boolean,
): FoundDefinition[] {
  const found = new Map<object, FoundDefinition>();
  const entries = Object.entries(exported).sort(([a], [b]) => rank(a) - rank(b));
  for (const [as, value] of entries) {
    if (typeof value !== "object" || value === null || found.has(value)) continue;
    const isDefault = as === "default";
    if (!isDefault && !isPlain(value)) continue;
    const kind = KIND_NAMES.find((one) => KINDS[one].isMeant(value)) ?? (isDefault ? wanted : null);
    if (kind === null || isBuiltIn(kind, value)) continue;
    const problem = problemWith(kind, value);
    if (problem !== null) throw new Error(problem);
    found.set(value, { kind, definition: value as Definition, isDefault });
  }
  return [...found.values()].sort(
    (a, b) => KIND_NAMES.indexOf(a.kind) - KIND_NAMES.indexOf(b.kind),
  );
}

const rank = (as: string) => (as === "default" ? 0 : 1);

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The problem of a definition, as a clause; null if it is valid. */
function problemWith(kind: DefinitionKind, value: object): string | null {
  const { title, define, shape, check } = KINDS[kind];
  const own = `${title.replace(/^an? /, "")}${"name" in value ? ` ${JSON.stringify(value.name)}` : ""}`;
  const read = shape.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0] as z.core.$ZodIssue;
    const member = issue.path.join(".");
    return `invalid ${own}: its ${member} must be ${describeExpected(issue)}. Make it with ${define}({ ... }) of video-rrd`;
  }
  try {
    const problem = check?.(value);
    return problem == null ? null : `${own}: ${problem}`;
  } catch (error) {
    if (isFailure(error)) return error.message.replace(/\.$/, "");
    throw error;
  }
}
