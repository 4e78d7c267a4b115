/*
 * Columns of the table `asked` that copy members of its JSON, and the SQL expression for each. Only valid JSON has them:
 * `json_extract` fails for damaged rows.
 */

const member = (path: string) => `json_extract(json, '$.${path}')`;

/** Columns by name. `json` in an expression is the column of the row. */
export const QUESTION_COLUMNS = {
  state: member("state"),
  strategy: member("strategy"),
  model: member("model"),
  /** `conflict`: reviewers disagree. */
  verdict: `coalesce(${member("review.verdict")}, CASE WHEN ${member("conflict")} THEN 'conflict' END)`,
  search_text: `fold_text(coalesce(${member("asked.text")}, '') || ' ' || coalesce(${member("asked.goal")}, ''))`,
} as const;
