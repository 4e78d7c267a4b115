/** @import { Part, ServiceView } from "./types.d.ts" */
/** @import { Half } from "./upload.js" */
/** @import { Upload } from "./uploads.js" */
import { button, el, fill } from "./dom.js";
import { size } from "./format.js";
import { pathTo } from "./routes.js";
import {
  currentUploads,
  drop,
  giveUp,
  leftUploads,
  startUploads,
  watchUploads,
} from "./uploads.js";

/**
 * The area to drop or choose files, and the progress of each upload.
 * @param {ServiceView} service
 * @returns {Part}
 */
export function uploadsView({ limits }) {
  const input = el("input", {
    type: "file",
    multiple: true,
    accept: "video/*,audio/*,.mkv,.avi,.mov,.webm,.mp4,.m4v,.ts,.m4a,.flac,.opus",
    class: "hidden",
    tabindex: "-1",
    "aria-label": "Videos to upload",
    onchange: () => {
      startUploads(input.files ?? []);
      input.value = "";
    },
  });
  const choose = button("Choose videos", () => input.click(), { class: "primary" });
  const zone = el(
    "section",
    { class: "drop", "aria-label": "Upload" },
    el("p", {}, el("strong", {}, "Drop videos here"), " or ", choose),
    el(
      "p",
      { class: "soft" },
      `Up to ${size(limits.upload)} each; ${limits.used === 0 ? "0" : size(limits.used)} of ${size(limits.quota)} used, including frames, indexes and replies. An interrupted upload continues where it stopped.`,
    ),
    input,
  );
  const list = el("ul", { class: "uploads", "aria-label": "Uploads" });
  /** @type {Map<Upload, ReturnType<typeof row>>} */
  const rows = new Map();

  const show = () => {
    const uploads = currentUploads();
    for (const upload of rows.keys()) if (!uploads.includes(upload)) rows.delete(upload);
    for (const upload of uploads) if (!rows.has(upload)) rows.set(upload, row(upload));
    for (const one of rows.values()) one.update();
    const left = leftUploads().map((half) => halfRow(half, () => input.click()));
    const wanted = [...[...rows.values()].map(({ node }) => node), ...left];
    const same =
      left.length === 0 &&
      wanted.length === list.children.length &&
      wanted.every((node, index) => node === list.children[index]);
    if (!same) fill(list, wanted);
    list.hidden = wanted.length === 0;
  };
  const stop = [watchUploads(show), acceptDrops(zone)];
  show();
  const node = el("div", { class: "uploading" }, zone, list);
  const close = () => {
    for (const one of stop) one();
    for (const upload of currentUploads()) if (upload.state === "arrived") drop(upload);
  };
  return { node, close };
}

/**
 * The whole window takes drops while the zone is shown.
 * @param {HTMLElement} zone
 * @returns {() => void}
 */
function acceptDrops(zone) {
  let inside = 0;
  const mark = () => zone.classList.toggle("over", inside > 0);
  /** @type {Record<string, (event: DragEvent) => void>} */
  const listeners = {
    dragenter: () => {
      inside++;
      mark();
    },
    dragleave: () => {
      inside = Math.max(0, inside - 1);
      mark();
    },
    dragover: (event) => event.preventDefault(),
    drop: (event) => {
      event.preventDefault();
      inside = 0;
      mark();
      startUploads(event.dataTransfer?.files ?? []);
    },
  };
  const control = new AbortController();
  for (const [name, listener] of Object.entries(listeners))
    window.addEventListener(name, /** @type {EventListener} */ (listener), {
      signal: control.signal,
    });
  return () => control.abort();
}

/** @param {Upload} upload */
function row(upload) {
  const bar = el("progress", {
    max: upload.file.size,
    "aria-label": `Upload of ${upload.file.name}`,
  });
  const state = el("span", { class: "soft" });
  const action = button(
    "Cancel",
    () => (upload.state === "sending" || upload.state === "waiting" ? upload.stop() : drop(upload)),
    {
      class: "quiet",
    },
  );
  const open = el("a", { hidden: true }, "Ask");
  const node = el(
    "li",
    {},
    el("span", { class: "name" }, upload.file.name),
    bar,
    state,
    open,
    action,
  );
  const update = () => {
    const { state: now, sent, file, why, video } = upload;
    bar.value = sent;
    bar.hidden = now === "refused" || now === "arrived";
    node.className = now;
    const all = sent === file.size;
    state.textContent = {
      sending: all
        ? "Inspecting the video…"
        : `${Math.floor((100 * sent) / file.size)} % of ${size(file.size)}`,
      waiting: `Connection lost at ${Math.floor((100 * sent) / file.size)} %; resumes automatically`,
      refused: why,
      arrived: "Uploaded",
    }[now];
    if (now === "refused") state.setAttribute("role", "alert");
    action.textContent = now === "sending" || now === "waiting" ? "Cancel" : "Dismiss";
    action.setAttribute("aria-label", `${action.textContent} the upload of ${file.name}`);
    if (video === null) return;
    open.hidden = false;
    open.href = pathTo(video.id);
    open.setAttribute("aria-label", `Ask about ${file.name}`);
  };
  return { node, update };
}

/**
 * @param {Half} half
 * @param {() => void} choose
 */
function halfRow({ id, name, size: whole, offset }, choose) {
  return el(
    "li",
    { class: "half" },
    el("span", { class: "name" }, name),
    el(
      "span",
      { class: "soft" },
      `${Math.floor((100 * offset) / whole)} % arrived. Select the same file again to continue.`,
    ),
    button("Select the file again", choose, { "aria-label": `Select the file again: ${name}` }),
    button("Cancel", () => giveUp(id), {
      class: "quiet",
      "aria-label": `Cancel the upload of ${name}`,
    }),
  );
}
