/** @import { UploadView, VideoView } from "./types.d.ts" */
import { call, get, Problem, send } from "./api.js";
import { connected } from "./connection.js";

/*
 * Sends a file in parts. A broken connection, a reload and a closed tab cost at most one part: the service says how
 * much it has, and this browser remembers which file it was.
 */

const PART = 4 * 1024 * 1024;
const KEPT = "video-rrd:uploads";
const MOST_PAUSES = 8;

/** @typedef {{ id: string, name: string, size: number, modified: number, offset: number }} Half */

/**
 * What was begun in this browser and not ended.
 * @returns {Half[]}
 */
export function halves() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {Half} half */
function keep(half) {
  localStorage.setItem(
    KEPT,
    JSON.stringify([...halves().filter(({ id }) => id !== half.id), half]),
  );
}

/** @param {string} id */
export function forgetHalf(id) {
  localStorage.setItem(KEPT, JSON.stringify(halves().filter((half) => half.id !== id)));
}

/**
 * @param {File} file
 * @param {Half} half
 */
export function isHalfOf(file, half) {
  return file.name === half.name && file.size === half.size && file.lastModified === half.modified;
}

/**
 * Resolves to the video once the service has all of the file and found it to be one; goes on from where an earlier
 * try of the same file ended.
 *
 * @param {File} file
 * @param {{ progress: (bytes: number) => void, waiting: (waits: boolean) => void, signal: AbortSignal }} on
 * @returns {Promise<VideoView>}
 */
export async function sendFile(file, on) {
  if (file.size === 0) throw new Problem(422, "Cannot upload this file: it is empty.");
  let view = (await goOn(file)) ?? (await begin(file));
  let pauses = 0;
  while (view.video === null) {
    keep({ ...about(file), id: view.id, offset: view.offset });
    on.progress(view.offset);
    try {
      view = await sendPart(file, view, on.signal);
      pauses = 0;
      on.waiting(false);
    } catch (error) {
      if (on.signal.aborted) throw error;
      if (!passing(error) || pauses++ > MOST_PAUSES) {
        if (refusedForGood(error)) forgetHalf(view.id);
        throw error;
      }
      on.waiting(true);
      view = await afterPause(view, error, pauses);
    }
  }
  forgetHalf(view.id);
  on.progress(file.size);
  return view.video;
}

/** @param {File} file */
function about({ name, size, lastModified }) {
  return { name, size, modified: lastModified };
}

/**
 * @param {File} file
 * @returns {Promise<UploadView>}
 */
function begin(file) {
  return call("POST", "/api/uploads", { name: file.name.slice(0, 300), size: file.size });
}

/**
 * @param {File} file
 * @returns {Promise<UploadView | null>} null where nothing of it is left at the service
 */
async function goOn(file) {
  const half = halves().find((one) => isHalfOf(file, one));
  if (half === undefined) return null;
  try {
    return await get(`/api/uploads/${half.id}`);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    forgetHalf(half.id);
    return null;
  }
}

/**
 * @param {File} file
 * @param {UploadView} view
 * @param {AbortSignal} signal
 * @returns {Promise<UploadView>}
 */
function sendPart(file, { id, offset, size }, signal) {
  const end = Math.min(size, offset + PART);
  const headers = {
    "content-type": "application/octet-stream",
    "content-range": `bytes ${offset}-${end - 1}/${size}`,
  };
  return send("PATCH", `/api/uploads/${id}`, file.slice(offset, end), headers, signal);
}

/** Statuses behind which the rest may still be taken: the service's own, and those of a proxy before it. */
const PASSING = [0, 408, 409, 429, 502, 503, 504];

/** @param {unknown} error */
function passing(error) {
  return error instanceof Problem && PASSING.includes(error.status);
}

/**
 * Whoever has no key at hand may go on with the same file later.
 * @param {unknown} error
 */
function refusedForGood(error) {
  return error instanceof Problem && error.status >= 400 && error.status !== 401 && !passing(error);
}

/**
 * @param {UploadView} view
 * @param {unknown} error
 * @param {number} pauses
 * @returns {Promise<UploadView>}
 */
async function afterPause(view, error, pauses) {
  const at = error instanceof Problem ? error.view.offset : undefined;
  if (at !== undefined) return { ...view, offset: at };
  await new Promise((done) => setTimeout(done, 250 * 2 ** pauses));
  await connected();
  try {
    return await get(`/api/uploads/${view.id}`);
  } catch (again) {
    if (passing(again)) return view;
    throw again;
  }
}
