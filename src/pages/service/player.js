/** @import { VideoView } from "./types.d.ts" */
import { mediaUrl, thumbnailUrl } from "./api.js";
import { html, useEffect, useRef, useState } from "./html.js";

/**
 * What the rest of the page does with a player; times in seconds.
 * @typedef {{ seek: (seconds: number) => void, time: () => number, toggle: () => void }} PlayerHandle
 */

/**
 * The video. If the browser cannot play it, the frame nearest to the selected time is shown instead.
 * @param {{ video: VideoView, handle: { current: PlayerHandle | null }, onTime: (seconds: number) => void }} props
 */
export function Player({ video: { id, name, duration_s, width, height }, handle, onTime }) {
  const node = useRef(/** @type {HTMLVideoElement | null} */ (null));
  const sought = useRef(0);
  const [still, setStill] = useState(/** @type {number | null} */ (null));
  const broken = useRef(false);
  const time = () => (broken.current ? sought.current : (node.current?.currentTime ?? 0));
  handle.current = {
    time,
    seek: (seconds) => {
      sought.current = Math.min(Math.max(0, seconds), duration_s);
      if (broken.current) setStill(sought.current);
      else if (node.current !== null) node.current.currentTime = sought.current;
      onTime(sought.current);
    },
    toggle: () => {
      if (broken.current || node.current === null) return;
      if (node.current.paused) node.current.play().catch(() => {});
      else node.current.pause();
    },
  };
  useEffect(() => {
    const video = node.current;
    return () => {
      // Otherwise the browser goes on loading it.
      video?.pause();
      video?.removeAttribute("src");
      video?.load();
    };
  }, []);
  const fail = () => {
    const error = node.current?.error;
    if (error == null || error.code === MediaError.MEDIA_ERR_NETWORK) return;
    broken.current = true;
    setStill(sought.current);
  };
  const tell = () => onTime(time());
  if (still === null)
    return html`<div class=${width === null ? "player sound" : "player"}>
      <video
        ref=${node}
        src=${mediaUrl(id)}
        poster=${width === null ? undefined : thumbnailUrl(id, duration_s / 4)}
        controls
        preload="metadata"
        playsinline
        aria-label=${`Player: ${name}`}
        style=${width === null || height === null ? undefined : { "--ratio": String(width / height) }}
        onError=${fail}
        onTimeUpdate=${tell}
        onSeeking=${tell}
        onSeeked=${tell}
      ></video>
    </div>`;
  return html`<div class="player">
    ${
      width !== null &&
      html`<img
        class="still"
        src=${thumbnailUrl(id, still)}
        alt=${`Frame near ${still.toFixed(1)} seconds`}
      />`
    }
    <p class="problem" role="status">
      ${
        width === null
          ? "This browser cannot play this sound format. Times and evidence still work."
          : "This browser cannot play this video format. Frames, times and evidence still work."
      }
    </p>
  </div>`;
}
