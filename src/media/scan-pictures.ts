import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { Failure } from "../core/errors.ts";

/** Small pictures of a video's frames, all of the same number of bytes. */
export interface Pictures {
  /**
   * The bytes of frame `i`; empty if there is no such frame. They must not be changed, and they are valid until a
   * hundred other pictures have been asked for: whoever needs them longer copies them.
   */
  at(i: number): Uint8Array;
}

/** Frames that are read from a file together. */
const PAGE_FRAMES = 32;
/** Most bytes of pages that stay in memory for one reader of a film, and least number of pages. */
const PAGES_BYTES = 12 * 2 ** 20;
const LEAST_PAGES = 100;

/** Pictures in memory, one after the other. */
export function picturesIn(bytes: Uint8Array, size: number): Pictures {
  return { at: (i) => bytes.subarray(i * size, (i + 1) * size) };
}

/** A part of each picture: `size` bytes from the byte `from` on. */
export function planesOf(pictures: Pictures, from: number, size: number): Pictures {
  return { at: (i) => pictures.at(i).subarray(from, from + size) };
}

/** The pictures of several parts of a film, one part after the other. */
export function joinPictures(parts: readonly { count: number; pictures: Pictures }[]): Pictures {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only.pictures;
  return {
    at(i) {
      let place = i;
      for (const { count, pictures } of parts) {
        if (place < count) return pictures.at(place);
        place -= count;
      }
      return new Uint8Array();
    },
  };
}

const unused = new FinalizationRegistry<number>(closeSync);

/** A file that is closed when nothing refers to this object any more. */
export class PictureFile {
  readonly fd: number;

  constructor(path: string, flags: "r" | "wx+") {
    this.fd = openSync(path, flags);
    unused.register(this, this.fd);
  }

  /** A new file without a name, in the folder of `path`, which must not exist. */
  static nameless(path: string): PictureFile {
    const file = new PictureFile(path, "wx+");
    rmSync(path);
    return file;
  }

  get size(): number {
    return fstatSync(this.fd).size;
  }

  /** Fills `bytes` from the given offset. Throws `Failure` `store-damaged` if the file ends earlier. */
  read<T extends Uint8Array>(offset: number, bytes: T): T {
    for (let done = 0; done < bytes.length; ) {
      const count = readSync(this.fd, bytes, done, bytes.length - done, offset + done);
      if (count === 0)
        throw new Failure("store-damaged", "The file of a scan ends early.", {
          offset,
          length: bytes.length,
        });
      done += count;
    }
    return bytes;
  }
}

/**
 * The pages of a film that were used last. A page takes the memory of the page that was used least recently: new memory
 * for each would make V8 collect garbage all the time.
 */
class RecentPages {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #bytes: number;
  readonly #most: number;
  #last = -1;
  #lastPage = new Uint8Array();

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#most = Math.max(LEAST_PAGES, Math.floor(PAGES_BYTES / bytes));
  }

  get(number: number, read: (page: Uint8Array) => void): Uint8Array {
    if (number === this.#last) return this.#lastPage;
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = this.#free();
      read(page);
    } else this.#pages.delete(number);
    this.#pages.set(number, page);
    this.#last = number;
    this.#lastPage = page as Uint8Array<ArrayBuffer>;
    return page;
  }

  #free(): Uint8Array {
    if (this.#pages.size < this.#most) return new Uint8Array(this.#bytes);
    const [oldest = -1] = this.#pages.keys();
    const page = this.#pages.get(oldest);
    this.#pages.delete(oldest);
    return page ?? new Uint8Array(this.#bytes);
  }
}

/**
 * Pictures of `size` bytes in a file, from the byte `offset`; the parts in use are in memory. `count` is asked each time,
 * because the file may grow.
 */
export function picturesInFile(
  file: PictureFile,
  offset: number,
  count: () => number,
  size: number,
): Pictures {
  const pages = new RecentPages(PAGE_FRAMES * size);
  const frameIn = (page: Uint8Array, place: number) =>
    page.subarray(place * size, (place + 1) * size);
  return {
    at(i) {
      const all = count();
      if (i < 0 || i >= all) return new Uint8Array();
      const place = i % PAGE_FRAMES;
      const first = i - place;
      // The page at the end may still grow.
      if (first + PAGE_FRAMES > all) return file.read(offset + i * size, new Uint8Array(size));
      const page = pages.get(first, (bytes) => file.read(offset + first * size, bytes));
      return frameIn(page, place);
    },
  };
}
