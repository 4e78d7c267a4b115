/** A part of a JSON schema. */
type Schema = Record<string, unknown>;

/**
 * The schema with `X` in place of "X or null", as servers in Python write optional parameters: the adapter drops
 * alternatives, and with them the type, the items and the values that a model has to know. The arguments are still checked
 * against the schema of the server, so that null is accepted.
 *
 * @example
 * withoutNull({ anyOf: [{ type: "integer" }, { type: "null" }], default: null }); // { type: "integer" }
 */
export function withoutNull<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutNull) as T;
  if (!isSchema(schema)) return schema;
  const members = Object.entries(schema).map(([name, value]) => [name, withoutNull(value)]);
  return collapsed(Object.fromEntries(members)) as T;
}

function collapsed(schema: Schema): Schema {
  for (const name of ["anyOf", "oneOf"]) {
    const { [name]: alternatives, default: by_default, ...rest } = schema;
    if (!Array.isArray(alternatives) || alternatives.length !== 2) continue;
    const [value] = alternatives.filter((one) => !isNull(one));
    if (!alternatives.some(isNull) || !isSchema(value)) continue;
    const given = by_default === undefined || by_default === null ? {} : { default: by_default };
    return { ...value, ...rest, ...given };
  }
  return schema;
}

function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema.type === "null";
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
