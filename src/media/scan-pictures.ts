import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { Failure } from "../core/errors.ts";

/** Small pictures of a video's frames, all of the same number of bytes. */
export interface Pictures {
  /** The bytes of frame `i`; empty if there is no such frame. They must not be changed. */
  at(i: number): Uint8Array;
}

/** Frames that are read from a file together. */
const PAGE_FRAMES = 32;
/** Most bytes of pages that stay in memory for one reader of a film. */
const PAGES_BYTES = 12 * 2 ** 20;

/** Pictures in memory, one after the other. */
export function picturesIn(bytes: Uint8Array, size: number): Pictures {
  return { at: (i) => bytes.subarray(i * size, (i + 1) * size) };
}

const unused = new FinalizationRegistry<number>(closeSync);

/** A file that is closed when nothing refers to this object any more. */
export class PictureFile {
  readonly #fd: number;

  constructor(path: string, flags: "r" | "wx+") {
    this.#fd = openSync(path, flags);
    unused.register(this, this.#fd);
  }

  /** Throws `Failure` `store-damaged` if the file ends earlier. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#fd, bytes, done, length - done, offset + done);
      if (count === 0)
        throw new Failure("store-damaged", "The file of a scan ends early.", { offset, length });
      done += count;
    }
    return bytes;
  }

  write(bytes: Uint8Array, offset: number): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#fd, bytes, done, bytes.length - done, offset + done);
  }
}

/** The pages of a film that were used last. A page that is dropped stays valid for those who hold a part of it. */
class RecentPages {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #most: number;
  #last = -1;
  #lastPage = new Uint8Array();

  constructor(bytes: number) {
    this.#most = Math.max(4, Math.floor(PAGES_BYTES / bytes));
  }

  get(number: number, read: () => Uint8Array): Uint8Array {
    if (number === this.#last) return this.#lastPage;
    const page = this.#pages.get(number) ?? read();
    this.set(number, page);
    return page;
  }

  set(number: number, page: Uint8Array): void {
    this.#pages.delete(number);
    this.#pages.set(number, page);
    if (this.#pages.size > this.#most)
      for (const oldest of this.#pages.keys()) {
        this.#pages.delete(oldest);
        break;
      }
    this.#last = number;
    this.#lastPage = page as Uint8Array<ArrayBuffer>;
  }
}

/** `count` pictures of `size` bytes in a file, from the byte `offset`; the parts in use are in memory. */
export function picturesInFile(
  file: PictureFile,
  offset: number,
  count: number,
  size: number,
): Pictures {
  const pages = new RecentPages(PAGE_FRAMES * size);
  return {
    at(i) {
      if (i < 0 || i >= count) return new Uint8Array();
      const first = i - (i % PAGE_FRAMES);
      const frames = Math.min(PAGE_FRAMES, count - first);
      const page = pages.get(first, () => file.read(offset + first * size, frames * size));
      return page.subarray((i - first) * size, (i - first + 1) * size);
    },
  };
}

/** Pictures that are appended one by one, and can be read meanwhile. All but the last and the recent ones are in a file. */
export class PictureSpool implements Pictures {
  readonly #size: number;
  readonly #file: PictureFile;
  readonly #pages: RecentPages;
  #count = 0;
  #page: Uint8Array;

  /** Uses a file at `path`, which has no name once this returns. */
  constructor(path: string, size: number) {
    this.#size = size;
    this.#file = new PictureFile(path, "wx+");
    rmSync(path);
    this.#pages = new RecentPages(PAGE_FRAMES * size);
    this.#page = new Uint8Array(PAGE_FRAMES * size);
  }

  push(picture: Uint8Array): void {
    const place = this.#count % PAGE_FRAMES;
    if (place === 0 && this.#count > 0) {
      const first = this.#count - PAGE_FRAMES;
      this.#file.write(this.#page, first * this.#size);
      this.#pages.set(first, this.#page);
      this.#page = new Uint8Array(PAGE_FRAMES * this.#size);
    }
    this.#page.set(picture, place * this.#size);
    this.#count++;
  }

  at(i: number): Uint8Array {
    if (i < 0 || i >= this.#count) return new Uint8Array();
    const first = i - (i % PAGE_FRAMES);
    const bytes = PAGE_FRAMES * this.#size;
    const page =
      first + PAGE_FRAMES >= this.#count
        ? this.#page
        : this.#pages.get(first, () => this.#file.read(first * this.#size, bytes));
    return page.subarray((i - first) * this.#size, (i - first + 1) * this.#size);
  }
}
