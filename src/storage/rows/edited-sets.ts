import { z } from "zod";
import { jsonOrUndefined } from "../../core/json-or-undefined.ts";
import type { EditedSets } from "../../core/service-rows.ts";

/** The members of an answered question's JSON that name its evidence sets. */
const Answered = z.object({ set: z.string(), answer: z.object({ set: z.string() }) });

/** The evidence sets of questions, by their JSON, that people edited. Damaged rows have none. */
export function editedSets(rows: readonly { json?: unknown }[]): EditedSets[] {
  return rows.flatMap(({ json }) => {
    const read = Answered.safeParse(jsonOrUndefined(String(json)));
    if (!read.success) return [];
    const { set: now, answer } = read.data;
    return now === answer.set ? [] : { first: answer.set, now };
  });
}
