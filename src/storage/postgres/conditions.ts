import type { Value } from "./value.ts";

/** The conditions of a query and the values of its parameters. */
export interface Conditions {
  values: Value[];
  /** Adds a condition; `write` gets the names of the parameters of the values. */
  add(write: (...names: string[]) => string, ...values: readonly Value[]): void;
  /** Adds a condition, unless the value is null or undefined. */
  given(write: (name: string) => string, value: Value | undefined): void;
  /** Adds a condition without a value. */
  text(condition: string): void;
  sql(): string;
}

/** Conditions that must all hold; none holds always. */
export function createConditions(): Conditions {
  const parts = ["true"];
  const conditions: Conditions = {
    values: [],
    add(write, ...values) {
      parts.push(write(...values.map((value) => `$${conditions.values.push(value)}`)));
    },
    given(write, value) {
      if (value !== null && value !== undefined) conditions.add(write, value);
    },
    text(condition) {
      parts.push(condition);
    },
    sql: () => parts.join(" AND "),
  };
  return conditions;
}
