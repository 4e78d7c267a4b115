import { Failure } from "./errors.ts";

/** A definition is known by its name. */
export interface Definition {
  readonly name: string;
}

/** The definitions of one kind that this process knows, in the order in which they were added. */
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
 * Makes the registry of one kind of definition. The layer that knows what a definition of this kind must say makes it
 * empty; `src/app/registry.ts` fills it with what is built in.
 *
 * @param kind what a person calls such a definition, with its article: `a strategy`
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
            `The name ${JSON.stringify(name)} of ${kind} is taken.`,
            {
              name,
            },
          );
        known.set(name, definition);
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
