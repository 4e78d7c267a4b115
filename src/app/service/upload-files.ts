import type { Store } from "../../core/contracts.ts";
import type { UploadFiles } from "./upload-files/contract.ts";
import { createLocalUploadFiles } from "./upload-files/local.ts";
import { createSharedUploadFiles } from "./upload-files/shared.ts";

/** The bytes of the uploads of a store. */
export function createUploadFiles(
  store: Pick<Store, "folder" | "files" | "catalogue">,
): UploadFiles {
  const { files } = store;
  return files === null ? createLocalUploadFiles(store) : createSharedUploadFiles(store, files);
}
