import { ReducedValue, type StateSchemaField } from "@langchain/langgraph";
import type { z } from "zod";

/** A schema as LangGraph takes it. Named here, because declarations of types cannot name LangGraph's own. */
export interface StateMember<T> {
  "~standard": Extract<StateSchemaField<T, T>, { "~standard": unknown }>["~standard"];
}

/**
 * A member of a state that a server describes by the JSON schema of `schema`. Only our nodes write it, so values are not
 * validated. Without `initial`, it has no value until a node writes one.
 */
export function stateValue<T>(schema: z.ZodType, initial?: T): StateMember<T> {
  const standard = schema["~standard"];
  // LangGraph takes what an immediate validation of `undefined` returns for the initial value.
  const absent = initial === undefined ? Promise.resolve({ value: initial }) : { value: initial };
  return {
    "~standard": {
      ...{ version: 1, vendor: "video-rrd", jsonSchema: standard.jsonSchema },
      validate: (value: unknown) => (value === undefined ? absent : { value }),
    },
  } as StateMember<T>;
}

/** The last value that was written; several nodes of one step may write it. */
export function latestValue<T>(schema: z.ZodType, initial: T) {
  return reducedValue<T>(schema, initial, (_before, next) => next);
}

/** What the reducer makes of the value so far and a written one. */
export function reducedValue<T>(
  schema: z.ZodType,
  initial: T,
  reducer: (before: T, next: T) => T,
): ReducedValue<T, T> {
  return new ReducedValue<T, T>(stateValue<T>(schema, initial), { reducer });
}
