import type { QuestionRow, Store, UploadRow } from "../../core/contracts.ts";

/** All questions about an upload, in the order in which they were asked. */
export async function uploadQuestions(
  { service }: Pick<Store, "service">,
  { id, owner }: Pick<UploadRow, "id" | "owner">,
): Promise<QuestionRow[]> {
  const all = { order: "asc", limit: Number.MAX_SAFE_INTEGER - 1, after: null } as const;
  return (await service.listQuestions({ owner, upload: id }, all)).rows;
}
