import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  appendFile,
  type FileHandle,
  lstat,
  open,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findSidecars } from "../../../../tools/speech/subtitles/sidecars.ts";
import type { Store, UploadRow, VideoFiles } from "../../../core/contracts.ts";
import { Failure, toFailure } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { makeFolder } from "../../../storage/make-folder.ts";
import { uploadPath } from "../../../storage/paths.ts";
import type { UploadFiles } from "./contract.ts";
import { knownHash } from "./local.ts";

/** The name of the bytes of a video among its files. */
const MEDIA = "media";
const partName = (start: number) => `part/${String(start).padStart(15, "0")}`;

/**
 * Uploads whose bytes all machines find. Chunks are kept as files of the upload until the last one; then the whole file
 * belongs to its video. `uploads/ID/` in the data folder only has links to local copies of the video and its subtitles.
 */
export function createSharedUploadFiles(
  { folder, catalogue }: Pick<Store, "folder" | "catalogue">,
  files: VideoFiles,
): UploadFiles {
  const fileOf = (id: string) => uploadPath(folder, id);
  const subtitlesOf = (id: string) => `subtitles/${id}/`;
  /** Owns the chunks of an upload, whose video is not known yet. */
  const ownerOf = (id: string) => sha256(`upload ${id}`);

  /** The chunks that arrived, without a gap. */
  async function chunks(id: string) {
    const found: { name: string; start: number; size: number }[] = [];
    let end = 0;
    for (const { name, size } of await files.list(ownerOf(id))) {
      if (name !== partName(end)) break;
      found.push({ name, start: end, size });
      end += size;
    }
    return { found, end };
  }

  async function dropChunks(id: string): Promise<void> {
    for (const { name } of await files.list(ownerOf(id))) await files.drop(ownerOf(id), name);
  }

  /** Points `uploads/ID/NAME` to a copy, in one step. */
  async function link(id: string, name: string, target: string): Promise<boolean> {
    const path = join(dirname(fileOf(id)), name);
    const to = relative(dirname(path), target);
    if ((await readlink(path).catch(() => null)) === to) return false;
    const draft = join(dirname(path), `.${randomUUID()}`);
    await makeFolder(dirname(path));
    await symlink(to, draft);
    await rename(draft, path);
    return true;
  }

  /** Keeps a file that an older version, or this process, has written next to the links. */
  async function settleFile(id: string, hash: string, name: string): Promise<void> {
    const path = join(dirname(fileOf(id)), name);
    const isOwn = (await lstat(path).catch(() => null))?.isFile() ?? false;
    if (!isOwn) return;
    const kept = await files.put(hash, name === id ? MEDIA : `${subtitlesOf(id)}${name}`, path);
    if (name === id && kept.hash !== hash)
      throw new Failure("store-damaged", `The bytes of ${path} have changed. Upload it again.`, {
        path,
      });
  }

  async function settleSubtitles({ id, video }: UploadRow): Promise<void> {
    if (video === null) return;
    const there = (await findSidecars(fileOf(id))).map(({ path }) =>
      path.slice(dirname(path).length + 1),
    );
    for (const name of there) await settleFile(id, video.hash, name);
    for (const { name } of await files.list(video.hash))
      if (name.startsWith(subtitlesOf(id)) && !there.includes(name.slice(subtitlesOf(id).length)))
        await files.drop(video.hash, name);
  }

  async function path(row: UploadRow): Promise<string> {
    const { id, video } = row;
    const file = fileOf(id);
    if (video === null) return file;
    const { hash } = video;
    let media = await files.path(hash, MEDIA);
    if (media === undefined) {
      // An upload of the time before the bytes were shared.
      await settleFile(id, hash, id);
      await settleSubtitles(row);
      media = await files.path(hash, MEDIA);
    }
    if (media === undefined)
      throw new Failure(
        "not-found",
        `The bytes of the upload ${id} are missing. Upload it again.`,
        { id },
      );
    if (await link(id, id, media)) await note(file, hash);
    const names = new Set<string>();
    for (const { name } of await files.list(hash)) {
      if (!name.startsWith(subtitlesOf(id))) continue;
      const own = name.slice(subtitlesOf(id).length);
      names.add(own);
      const copy = await files.path(hash, name);
      if (copy !== undefined) await link(id, own, copy);
    }
    for (const sidecar of await findSidecars(file))
      if (!names.has(sidecar.path.slice(dirname(sidecar.path).length + 1)))
        await rm(sidecar.path, { force: true });
    return file;
  }

  /** The hash of a copy is known, so that it is not read again. */
  async function note(file: string, hash: string): Promise<void> {
    const { size, mtimeMs } = await stat(file);
    const modified_ms = Math.trunc(mtimeMs);
    if ((await catalogue.knownVideo(file, size, modified_ms)) !== hash)
      await catalogue.putVideo({ path: file, hash, size, modified_ms });
  }

  return {
    shared: true,
    create: async () => {},
    async arrived({ id, size, video }) {
      return { bytes: video === null ? (await chunks(id)).end : size, at: null };
    },
    async append({ id, size }, from, write) {
      const chunk = join(dirname(fileOf(id)), `chunk-${randomUUID()}`);
      await makeFolder(dirname(chunk));
      try {
        await (await open(chunk, "wx")).close();
        const came = await write(chunk, 0);
        // The last chunk is sent again if this process ends before the video is kept.
        if (from + came === size && from === 0) await rename(chunk, fileOf(id));
        else if (came > 0) await files.put(ownerOf(id), partName(from), chunk);
        return came;
      } finally {
        await rm(chunk, { force: true });
      }
    },
    async whole(id) {
      const { found } = await chunks(id);
      if (found.length === 0) return fileOf(id);
      const draft = join(dirname(fileOf(id)), `whole-${randomUUID()}`);
      try {
        await makeFolder(dirname(draft));
        for (const { name } of found) {
          const copy = await files.path(ownerOf(id), name);
          if (copy === undefined)
            throw new Failure("not-found", `A chunk of the upload ${id} was removed.`, { id });
          await appendFile(draft, createReadStream(copy));
        }
        await rename(draft, fileOf(id));
      } catch (error) {
        await rm(draft, { force: true });
        throw toFailure(error, "file-unreadable", "completing an upload");
      }
      return fileOf(id);
    },
    async settle(id, hash) {
      await settleFile(id, hash, id);
      const media = await files.path(hash, MEDIA);
      if (media !== undefined && (await link(id, id, media))) await note(fileOf(id), hash);
    },
    dropChunks,
    exists: async ({ video }) => video !== null,
    path,
    async subtitles({ id, video }) {
      const found: { name: string; path: string }[] = [];
      if (video === null) return found;
      for (const { name } of await files.list(video.hash)) {
        if (!name.startsWith(subtitlesOf(id))) continue;
        const copy = await files.path(video.hash, name);
        if (copy !== undefined)
          found.push({ name: name.slice(subtitlesOf(id).length), path: copy });
      }
      return found;
    },
    async settleSubtitles(row) {
      await settleSubtitles(row);
      await path(row);
    },
    async read(row, first, last) {
      const { id, video } = row;
      // The cache may remove its copy at any time; an open file stays readable.
      const copy = await open(fileOf(id)).catch(() => null);
      if ((await copy?.stat())?.size === row.size)
        return (copy as FileHandle).createReadStream({ start: first, end: last });
      await copy?.close();
      return files.read(video?.hash ?? "", MEDIA, first, last);
    },
    hashOf: (id) => knownHash(catalogue, fileOf(id)),
    async remove(id, hash) {
      await dropChunks(id);
      if (hash !== undefined)
        for (const { name } of await files.list(hash))
          if (name.startsWith(subtitlesOf(id))) await files.drop(hash, name);
      await rm(dirname(fileOf(id)), { recursive: true, force: true });
    },
  };
}
