/** @import { UploadView, VideoView } from "./types.d.ts" */
import { beginUpload, getUpload, sendUploadPart } from "./api.js";
import { connected } from "./connection.js";
import { Problem } from "./request.js";

/*
 * Sends a file in parts. A broken connection, a reload and a closed tab cost at most one part: the service reports how
 * much it has, and this browser stores which file it was.
 */

const PART = 4 * 1024 * 1024;
const STORED = "video-rrd:uploads";
const MOST_PAUSES = 8;
/** Time between two looks at an upload that the service inspects. */
const LOOK_MS = 1000;

/** @typedef {{ id: string, name: string, size: number, modified: number, offset: number }} Half */

/**
 * Uploads that this browser began and did not finish.
 * @returns {Half[]}
 */
export function unfinishedUploads() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {Half} half */
function keep(half) {
  localStorage.setItem(
    STORED,
    JSON.stringify([...unfinishedUploads().filter(({ id }) => id !== half.id), half]),
  );
}

/** @param {string} id */
export function forgetUnfinished(id) {
  localStorage.setItem(
    STORED,
    JSON.stringify(unfinishedUploads().filter((half) => half.id !== id)),
  );
}

/**
 * @param {File} file
 * @param {Half} half
 */
export function isUnfinishedOf(file, half) {
  return file.name === half.name && file.size === half.size && file.lastModified === half.modified;
}

/**
 * Resolves to the video once the service has the whole file and accepts it as a video; continues an earlier
 * upload of the same file.
 *
 * @param {File} file
 * @param {{ progress: (bytes: number) => void, waiting: (waits: boolean) => void, signal: AbortSignal }} on
 * @returns {Promise<VideoView>}
 */
export async function sendFile(file, on) {
  if (file.size === 0) throw new Problem(422, "Cannot upload this file: it is empty.");
  let view = (await resume(file)) ?? (await begin(file));
  let pauses = 0;
  while (view.video === null) {
    keep({ ...about(file), id: view.id, offset: view.offset });
    on.progress(view.offset);
    try {
      view =
        view.offset < view.size ? await sendPart(file, view, on.signal) : await decided(view, on);
      pauses = 0;
      on.waiting(false);
    } catch (error) {
      if (on.signal.aborted) throw error;
      if (!isTemporary(error) || pauses++ > MOST_PAUSES) {
        if (isRejected(error)) forgetUnfinished(view.id);
        throw error;
      }
      on.waiting(true);
      view = await afterPause(view, error, pauses);
    }
  }
  forgetUnfinished(view.id);
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
  return beginUpload({ name: file.name.slice(0, 300), size: file.size });
}

/**
 * @param {File} file
 * @returns {Promise<UploadView | null>} null if the service has no part of it
 */
async function resume(file) {
  const half = unfinishedUploads().find((one) => isUnfinishedOf(file, one));
  if (half === undefined) return null;
  try {
    return await getUpload(half.id);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    forgetUnfinished(half.id);
    return null;
  }
}

/**
 * @param {File} file
 * @param {UploadView} view
 * @param {AbortSignal} signal
 * @returns {Promise<UploadView>}
 */
function sendPart(file, view, signal) {
  const end = Math.min(view.size, view.offset + PART);
  return sendUploadPart(view, file.slice(view.offset, end), signal);
}

/**
 * An upload of which the service has all parts, after a moment: the connection that waited for its decision was lost.
 * @param {UploadView} view
 * @param {{ signal: AbortSignal }} on
 * @returns {Promise<UploadView>}
 */
async function decided(view, { signal }) {
  await new Promise((done) => setTimeout(done, LOOK_MS));
  signal.throwIfAborted();
  try {
    return await getUpload(view.id);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    throw new Problem(
      422,
      "The service refused this file: it is not a video or a sound that can be read.",
    );
  }
}

/** Statuses after which the rest may still be accepted: those of the service, and of a proxy before it. */
const PASSING = [0, 408, 409, 429, 502, 503, 504];

/** @param {unknown} error */
function isTemporary(error) {
  return error instanceof Problem && PASSING.includes(error.status);
}

/**
 * Whether the upload cannot continue. A person without the key can continue with the same file later.
 * @param {unknown} error
 */
function isRejected(error) {
  return (
    error instanceof Problem && error.status >= 400 && error.status !== 401 && !isTemporary(error)
  );
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
    return await getUpload(view.id);
  } catch (again) {
    if (isTemporary(again)) return view;
    throw again;
  }
}
