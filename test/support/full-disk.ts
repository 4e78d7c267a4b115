import { open } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "./temp.ts";

type Write = (from: Buffer, at: number, size: number, place: number) => Promise<unknown>;

/** Works with a disk that takes so many more bytes. As the system does: what fits is written, and only the next write fails. */
export async function onFullDisk(bytes: number, work: () => Promise<void>): Promise<void> {
  const handle = await open(join(await tempFolder(), "any"), "w");
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as { write: Write };
  const { write } = prototype;
  let left = bytes;
  prototype.write = async function (from, at, size, place) {
    if (left === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const fits = Math.min(left, size);
    left -= fits;
    return write.call(this, from, at, fits, place);
  };
  try {
    await work();
  } finally {
    prototype.write = write;
  }
}
