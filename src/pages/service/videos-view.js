/** @import { Part, ServiceView, VideoView } from "./types.d.ts" */

import { announce } from "./announce.js";
import { deleteVideo, listVideos, thumbnailUrl } from "./api.js";
import { clock } from "./clock.js";
import { confirmed } from "./dialogs.js";
import { button, el, fill } from "./dom.js";
import { count, day, size } from "./format.js";
import { failure, noModel } from "./notices.js";
import { errorMessage } from "./request.js";
import { pathTo } from "./routes.js";
import { changed, onChanged } from "./tabs.js";
import { watchUploads } from "./uploads.js";
import { uploadsView } from "./uploads-view.js";

/**
 * The start page: upload a video, or choose an existing one.
 * @param {ServiceView} service
 * @returns {Part}
 */
export function videosView(service) {
  const list = el(
    "div",
    { "aria-busy": "true" },
    el("p", { class: "soft" }, "Loading the videos…"),
  );
  const uploads = uploadsView(service);
  /** @type {VideoView[] | null} */
  let videos = null;

  const show = () => {
    if (videos === null) return;
    list.removeAttribute("aria-busy");
    uploads.node.classList.toggle("first", videos.length === 0);
    fill(
      list,
      videos.length === 0
        ? welcome()
        : el(
            "ul",
            { class: "videos" },
            videos.map((video) => videoCard(video, remove)),
          ),
    );
  };
  const load = async () => {
    try {
      const found = await listVideos({ limit: 200 });
      videos = found.items;
      show();
    } catch (error) {
      list.removeAttribute("aria-busy");
      fill(list, failure(errorMessage(error), load));
    }
  };
  /** @param {VideoView} video */
  const remove = async (video) => {
    const sure = await confirmed(
      "Delete this video?",
      `“${video.name}” will be removed with its ${count(video.questions, "question")}, answers, frames and evidence.`,
      "Delete",
    );
    if (!sure) return;
    try {
      await deleteVideo(video.id);
      videos = (videos ?? []).filter(({ id }) => id !== video.id);
      changed("videos");
      show();
      announce(`Deleted ${video.name}.`);
    } catch (error) {
      list.prepend(el("p", { class: "problem", role: "alert" }, errorMessage(error)));
    }
  };
  const stop = [
    onChanged("videos", load),
    watchUploads((arrived) => {
      if (!arrived) return;
      changed("videos");
      load();
    }),
  ];
  load();
  const node = el(
    "div",
    { class: "home" },
    el("h1", { tabindex: "-1" }, "Videos"),
    noModel(service),
    uploads.node,
    list,
  );
  const close = () => {
    uploads.close?.();
    for (const one of stop) one();
  };
  return { node, close };
}

function welcome() {
  const steps = [
    [
      "Drop a video",
      "It stays on this machine. A model receives only the frames and text that a question needs.",
    ],
    ["Ask", "An open question, one with options, or the right order of shuffled clips."],
    [
      "Check the evidence",
      "Every answer shows its evidence with times. Correct errors and reason again.",
    ],
  ];
  return el(
    "ol",
    { class: "welcome" },
    steps.map(([title, text]) =>
      el("li", {}, el("h2", {}, title), el("p", { class: "soft" }, text)),
    ),
  );
}

/**
 * @param {VideoView} video
 * @param {(video: VideoView) => void} remove
 */
function videoCard(video, remove) {
  const { id, name, duration_s, questions, created_at } = video;
  const poster = el("img", {
    src: thumbnailUrl(id, duration_s / 4),
    alt: "",
    loading: "lazy",
    onerror: () => poster.classList.add("missing"),
  });
  return el(
    "li",
    { class: "video" },
    el(
      "a",
      { href: pathTo(id) },
      el("span", { class: "poster" }, poster, el("span", { class: "length" }, clock(duration_s))),
      el("span", { class: "name" }, name),
    ),
    el(
      "p",
      { class: "soft" },
      `${questions === 0 ? "No question yet" : count(questions, "question")} · ${size(video.size)} · ${day(created_at)}`,
    ),
    button("Delete", () => remove(video), { class: "quiet", "aria-label": `Delete ${name}` }),
  );
}
