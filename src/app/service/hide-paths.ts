import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Returns a function that removes paths of the server from a message: failures of lower layers name the files they read.
 *
 * @param data The data folder of the service, absolute.
 */
export function createPathHider(data: string): (text: string) => string {
  const uploads = join(data, "uploads").replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const upload = new RegExp(`${uploads}/[\\w-]+(/[\\w-]+)?`, "g");
  const folders = [process.cwd(), tmpdir(), homedir()]
    .filter((folder) => folder.length > 1)
    .sort((a, b) => b.length - a.length);
  return (text) =>
    folders.reduce(
      (left, folder) => left.replaceAll(`${folder}/`, ".../"),
      text.replaceAll(upload, "the video").replaceAll(data, "the data folder"),
    );
}
