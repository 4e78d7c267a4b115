import { Failure } from "./errors.ts";

/** A definition is identified by its name. */
export interface Definition {
  readonly name: string;
}

/** What can be swapped. */
export type DefinitionKind = "strategy" | "tool" | "benchmark" | "scorer" | "judge" | "provider";

let additions = 0;

/** Changes whenever a definition of any kind is added. What is derived from definitions is made again then. */
export function registryRevision(): number {
  return additions;
}

/** The registered definitions of one kind, in the order in which they were added. */
export interface Registry<D extends Definition> {
  /** Throws `Failure` `wrong-usage` if another definition has this name. */
  add(...definitions: readonly D[]): void;
  find(name: string): D | undefined;
  /** Throws `Failure` `wrong-usage` that lists the known names. */
  get(name: string): D;
  names(): string[];
  all(): readonly D[];
}

/**
 * Creates an empty registry for one kind of definition, in the layer that declares the kind. `src/app/registry.ts` adds
 * the built-in definitions.
 *
 * @param kind name of the kind in messages, with its article: `a strategy`
 * @example
 * const strategies = createRegistry<StrategyDefinition>("a strategy");
 * strategies.add(myStrategy);
 * strategies.get("my-strategy").summary;
 */
export function createRegistry<D extends Definition>(kind: string): Registry<D> {
  const known = new Map<string, D>();
  const names = () => [...known.keys()];
  return {
    add(...definitions) {
      for (const definition of definitions) {
        const { name } = definition;
        const other = known.get(name);
        if (other !== undefined && other !== definition)
          throw new Failure(
            "wrong-usage",
            `Cannot add ${kind} named ${JSON.stringify(name)}: the name is in use.`,
            {
              name,
            },
          );
        known.set(name, definition);
        additions++;
      }
    },
    find: (name) => known.get(name),
    get(name) {
      const definition = known.get(name);
      if (definition === undefined)
        throw new Failure(
          "wrong-usage",
          `Unknown ${kind.replace(/^an? /, "")} ${JSON.stringify(name)}: use ${names().join(", ")}.`,
          { name },
        );
      return definition;
    },
    names,
    all: () => [...known.values()],
  };
}
