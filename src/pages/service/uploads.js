/** @import { VideoView } from "./types.d.ts" */
import { deleteUpload } from "./api.js";
import { errorMessage } from "./request.js";
import { forgetUnfinished, isUnfinishedOf, sendFile, unfinishedUploads } from "./upload.js";

/**
 * The uploads of this tab; they continue while other views are shown.
 *
 * @typedef {{ key: number, file: File, sent: number, state: "sending" | "waiting" | "refused" | "arrived", why: string,
 *   video: VideoView | null, stop: () => void }} Upload
 */

/** @type {Upload[]} */
let uploads = [];
let started = 0;
/** @type {Set<(arrived: boolean) => void>} */
const watchers = new Set();

function notify(arrived = false) {
  for (const watcher of watchers) watcher(arrived);
}

/**
 * @param {(arrived: boolean) => void} watcher `arrived`: a video was added
 * @returns {() => void} stops watching
 */
export function watchUploads(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function currentUploads() {
  return uploads;
}

/** Uploads that earlier pages of this browser began and that no page continues. */
export function leftUploads() {
  return unfinishedUploads().filter(
    (half) => !uploads.some(({ file }) => isUnfinishedOf(file, half)),
  );
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
    key: started++,
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
  notify();
  try {
    upload.video = await sendFile(file, {
      signal: control.signal,
      progress: (bytes) => {
        upload.sent = bytes;
        notify();
      },
      waiting: (waits) => {
        upload.state = waits ? "waiting" : "sending";
        notify();
      },
    });
    upload.state = "arrived";
    notify(true);
  } catch (error) {
    if (control.signal.aborted) return;
    upload.state = "refused";
    upload.why = errorMessage(error);
    notify();
  }
}

/** @param {Upload} upload */
export function drop(upload) {
  uploads = uploads.filter((one) => one !== upload);
  for (const half of unfinishedUploads()) if (isUnfinishedOf(upload.file, half)) giveUp(half.id);
  notify();
}

/** @param {string} id of a half upload */
export function giveUp(id) {
  forgetUnfinished(id);
  deleteUpload(id).catch(() => {});
  notify();
}
