/** @import { VideoView } from "./types.d.ts" */
import { mediaUrl, thumbnailUrl } from "./api.js";
import { el } from "./dom.js";

/** @typedef {ReturnType<typeof player>} Player */

/**
 * The video. If the browser cannot play it, the frame nearest to the selected time is shown instead.
 * @param {VideoView} view
 */
export function player({ id, name, duration_s, width }) {
  let sought = 0;
  const video = el("video", {
    src: mediaUrl(id),
    controls: true,
    preload: "metadata",
    playsinline: true,
    "aria-label": `Player: ${name}`,
  });
  const still = el("img", { alt: "", class: "still" });
  const problem = el("p", { class: "problem", role: "status", hidden: true });
  const node = el("div", { class: "player" }, video, problem);
  /** @type {Set<(seconds: number) => void>} */
  const watchers = new Set();
  const notify = () => {
    for (const watcher of watchers) watcher(time());
  };
  const time = () => (broken() ? sought : video.currentTime);
  const broken = () => still.isConnected;

  const showFrame = () => {
    if (width === null) return;
    still.src = thumbnailUrl(id, sought);
    still.alt = `Frame near ${sought.toFixed(1)} seconds`;
  };
  video.addEventListener("error", () => {
    if (broken() || video.error === null || video.error.code === MediaError.MEDIA_ERR_NETWORK)
      return;
    problem.textContent =
      width === null
        ? "This browser cannot play this sound format. Times and evidence still work."
        : "This browser cannot play this video format. Frames, times and evidence still work.";
    problem.hidden = false;
    video.replaceWith(still);
    showFrame();
  });
  for (const name of ["timeupdate", "seeking", "seeked"]) video.addEventListener(name, notify);

  /** @param {number} seconds */
  const seek = (seconds) => {
    sought = Math.min(Math.max(0, seconds), duration_s);
    if (broken()) showFrame();
    else video.currentTime = sought;
    notify();
  };
  const close = () => {
    video.pause();
    video.removeAttribute("src");
    video.load();
  };
  return {
    node,
    seek,
    time,
    close,
    toggle: () => {
      if (broken()) return;
      if (video.paused) video.play().catch(() => {});
      else video.pause();
    },
    /** @param {(seconds: number) => void} watcher */
    watch: (watcher) => {
      watchers.add(watcher);
    },
  };
}
