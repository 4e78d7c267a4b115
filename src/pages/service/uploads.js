/** @import { VideoView } from "./types.d.ts" */
import { call, said } from "./api.js";
import { forgetHalf, halves, isHalfOf, sendFile } from "./upload.js";

/**
 * The uploads of this tab; they go on whatever is being looked at.
 *
 * @typedef {{ file: File, sent: number, state: "sending" | "waiting" | "refused" | "arrived", why: string,
 *   video: VideoView | null, stop: () => void }} Upload
 */

/** @type {Upload[]} */
let uploads = [];
/** @type {Set<(arrived: boolean) => void>} */
const watchers = new Set();

function tell(arrived = false) {
  for (const watcher of watchers) watcher(arrived);
}

/**
 * @param {(arrived: boolean) => void} watcher `arrived`: there is one video more
 * @returns {() => void} stops watching
 */
export function watchUploads(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function currentUploads() {
  return uploads;
}

/** What earlier pages of this browser began and none is sending. */
export function leftHalves() {
  return halves().filter((half) => !uploads.some(({ file }) => isHalfOf(file, half)));
}

/** @param {Iterable<File>} files */
export function startUploads(files) {
  for (const file of files) start(file);
}

/** @param {File} file */
async function start(file) {
  const control = new AbortController();
  /** @type {Upload} */
  const upload = {
    file,
    sent: 0,
    state: "sending",
    why: "",
    video: null,
    stop: () => {
      control.abort();
      drop(upload);
    },
  };
  uploads = [...uploads, upload];
  tell();
  try {
    upload.video = await sendFile(file, {
      signal: control.signal,
      progress: (bytes) => {
        upload.sent = bytes;
        tell();
      },
      waiting: (waits) => {
        upload.state = waits ? "waiting" : "sending";
        tell();
      },
    });
    upload.state = "arrived";
    tell(true);
  } catch (error) {
    if (control.signal.aborted) return;
    upload.state = "refused";
    upload.why = said(error);
    tell();
  }
}

/** @param {Upload} upload */
export function drop(upload) {
  uploads = uploads.filter((one) => one !== upload);
  for (const half of halves()) if (isHalfOf(upload.file, half)) giveUp(half.id);
  tell();
}

/** @param {string} id of a half upload */
export function giveUp(id) {
  forgetHalf(id);
  call("DELETE", `/api/uploads/${id}`).catch(() => {});
  tell();
}
