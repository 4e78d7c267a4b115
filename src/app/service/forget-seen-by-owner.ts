import { forgetSeen } from "../../../graphs/stages/recalled-evidence.ts";
import type { Store, UploadRow } from "../../core/contracts.ts";

/**
 * Removes what the questions of an owner saw in a video, unless another upload of the owner has its bytes. Call it before
 * the row of the upload is removed: if the process is killed in between, the removal can be repeated.
 */
export async function forgetSeenByOwner(
  store: Store,
  { id, owner }: Pick<UploadRow, "id" | "owner">,
  hash: string,
): Promise<void> {
  const uploads = await store.service.uploadsOf(hash);
  if (!uploads.some((other) => other.owner === owner && other.id !== id))
    await forgetSeen(hash, owner, store);
}
