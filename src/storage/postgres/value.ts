/** A value of a parameter. */
export type Value = string | number | null | readonly string[];

/** A row of a result, by column. */
export type Row = Record<string, unknown>;
