/** @import { ServiceView } from "./types.d.ts" */
/** @import { Half } from "./upload.js" */
/** @import { Upload } from "./uploads.js" */
import { size } from "./format.js";
import { html, useEffect, useReducer, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { pathTo } from "./routes.js";
import {
  currentUploads,
  drop,
  giveUp,
  leftUploads,
  startUploads,
  watchUploads,
} from "./uploads.js";

const TYPES = "video/*,audio/*,.mkv,.avi,.mov,.webm,.mp4,.m4v,.ts,.m4a,.flac,.opus";
/** Running uploads first, and finished ones last. */
const ORDER = { sending: 0, waiting: 0, refused: 1, arrived: 2 };

/**
 * The area to drop or choose files, and the progress of each upload.
 * @param {{ service: ServiceView, first: boolean }} props `first`: there is no video yet
 */
export function UploadsView({ service: { limits }, first }) {
  const [, show] = useReducer((n) => n + 1, 0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const over = useDrops();
  useEffect(() => {
    const stop = watchUploads(() => show(undefined));
    return () => {
      stop();
      for (const upload of currentUploads()) if (upload.state === "arrived") drop(upload);
    };
  }, []);
  const choose = () => input.current?.click();
  const start = () => {
    startUploads(input.current?.files ?? []);
    if (input.current !== null) input.current.value = "";
  };
  const uploads = [...currentUploads()].sort((a, b) => ORDER[a.state] - ORDER[b.state]);
  const left = leftUploads();
  const used = limits.used === 0 ? "0" : size(limits.used);
  return html`<div class=${first ? "uploading first" : "uploading"}>
    <section class=${over ? "drop over" : "drop"} aria-label="Upload">
      <p>
        <${Icon} name="upload" /> <strong>Drop videos here</strong> or${" "}
        <button type="button" class="primary" onClick=${choose}>Choose videos</button>
      </p>
      <p class="soft">
        Up to ${size(limits.upload)} each · ${used} of ${size(limits.quota)} used, with frames and replies · interrupted
        uploads continue
      </p>
      <input
        ref=${input}
        type="file"
        multiple
        accept=${TYPES}
        class="hidden"
        tabindex="-1"
        aria-label="Videos to upload"
        onChange=${start}
      />
    </section>
    ${
      uploads.length + left.length > 0 &&
      html`<ul class="uploads" aria-label="Uploads">
        ${uploads.map((upload) => html`<${UploadRow} key=${upload.key} upload=${upload} />`)}
        ${left.map((half) => html`<${HalfRow} key=${half.id} half=${half} choose=${choose} />`)}
      </ul>`
    }
  </div>`;
}

/** The whole window takes drops while this is shown. Returns whether something is dragged over it. */
function useDrops() {
  const [inside, setInside] = useState(0);
  useEffect(() => {
    /** @type {Record<string, (event: DragEvent) => void>} */
    const listeners = {
      dragenter: () => setInside((n) => n + 1),
      dragleave: () => setInside((n) => Math.max(0, n - 1)),
      dragover: (event) => event.preventDefault(),
      drop: (event) => {
        event.preventDefault();
        setInside(0);
        startUploads(event.dataTransfer?.files ?? []);
      },
    };
    const { signal, abort } = withSignal();
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, /** @type {EventListener} */ (listener), { signal });
    return abort;
  }, []);
  return inside > 0;
}

function withSignal() {
  const control = new AbortController();
  return { signal: control.signal, abort: () => control.abort() };
}

/** @param {{ upload: Upload }} props */
function UploadRow({ upload }) {
  const { state, sent, file, why, video } = upload;
  const percent = Math.floor((100 * sent) / Math.max(1, file.size));
  const running = state === "sending" || state === "waiting";
  const label = running ? "Cancel" : "Dismiss";
  const words = {
    sending: sent === file.size ? "Inspecting the video…" : `${percent} % of ${size(file.size)}`,
    waiting: `Connection lost at ${percent} %; resumes automatically`,
    refused: why,
    arrived: "Uploaded",
  }[state];
  return html`<li class=${state}>
    <span class="name">${file.name}</span>
    ${running && html`<progress max=${file.size} value=${sent} aria-label=${`Upload of ${file.name}`}></progress>`}
    <span class="soft" role=${state === "refused" ? "alert" : undefined}>${words}</span>
    ${video !== null && html`<a href=${pathTo(video.id)} aria-label=${`Ask about ${file.name}`}>Ask</a>`}
    <button
      type="button"
      class="quiet"
      aria-label=${`${label} the upload of ${file.name}`}
      onClick=${() => (running ? upload.stop() : drop(upload))}
    >
      ${label}
    </button>
  </li>`;
}

/** @param {{ half: Half, choose: () => void }} props */
function HalfRow({ half: { id, name, size: whole, offset }, choose }) {
  return html`<li class="half">
    <span class="name">${name}</span>
    <span class="soft">
      ${Math.floor((100 * offset) / whole)} % arrived. Select the same file again to continue.
    </span>
    <button type="button" aria-label=${`Select the file again: ${name}`} onClick=${choose}>
      Select the file again
    </button>
    <button
      type="button"
      class="quiet"
      aria-label=${`Cancel the upload of ${name}`}
      onClick=${() => giveUp(id)}
    >
      Cancel
    </button>
  </li>`;
}
