/** @import { ServiceView, VideoView } from "./types.d.ts" */
import { announce } from "./announce.js";
import { deleteVideos, listTags, listVideos } from "./api.js";
import { changed } from "./changes.js";
import { confirmed } from "./dialogs.js";
import { count } from "./format.js";
import { html, useEffect, useState } from "./html.js";
import { LibraryTools } from "./library-tools.js";
import { MoreButton } from "./more-button.js";
import { FailureNotice, NoModelNotice } from "./notices.js";
import { errorMessage } from "./request.js";
import { pathToList } from "./routes.js";
import { SearchResults } from "./search-results.js";
import { currentUploads, watchUploads } from "./uploads.js";
import { UploadsView } from "./uploads-view.js";
import { useFetched } from "./use-fetched.js";
import { useList } from "./use-list.js";
import { VideoCard } from "./video-card.js";

/** Most videos that one request deletes. */
const AT_ONCE = 200;

/**
 * The start page: upload videos, find one, or find a moment in any of them.
 * @param {{ service: ServiceView, query: Record<string, string>, refresh: () => void }} props
 */
export function VideosView({ service, query: given, refresh: refreshService }) {
  const [query, setQuery] = useState(given);
  // Each step of the address brings a new object. Filters replace the address without a step.
  useEffect(() => setQuery(given), [given]);
  const { q = "", tag = "", sort = "created" } = query;
  const fetchPage = (/** @type {object} */ page) =>
    listVideos({ q: q || undefined, tag: tag || undefined, sort, ...page });
  const { list, problem, more, again, refresh, outdated, edit } = useList(
    fetchPage,
    JSON.stringify([q, tag, sort]),
    "videos",
  );
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string> | null} */ (null));
  const [failed, setFailed] = useState("");

  useEffect(() => {
    return watchUploads((arrived) => {
      if (!arrived) return;
      changed("videos");
      refresh();
      refreshService();
    });
  });

  const choose = (/** @type {Record<string, string>} */ change) => {
    const next = { ...query, ...change };
    setQuery(next);
    history.replaceState(history.state, "", pathToList("", next));
  };
  const { value: allTags, again: readTags } = useFetched(listTags, []);
  const tags = allTags?.items.map((item) => item.tag) ?? [];

  /** @param {VideoView[]} videos */
  const remove = async (videos) => {
    const [one] = videos;
    if (one === undefined) return;
    const questions = videos.reduce((sum, video) => sum + video.questions, 0);
    const what = videos.length === 1 ? `“${one.name}”` : count(videos.length, "video");
    const sure = await confirmed(
      videos.length === 1 ? "Delete this video?" : `Delete ${count(videos.length, "video")}?`,
      `${what} will be removed with ${count(questions, "question")}, answers, frames and evidence.`,
      "Delete",
    );
    if (!sure) return;
    setFailed("");
    const ids = new Set(videos.map(({ id }) => id));
    try {
      const all = [...ids];
      for (let from = 0; from < all.length; from += AT_ONCE)
        await deleteVideos(all.slice(from, from + AT_ONCE));
      edit((items) => items.filter(({ id }) => !ids.has(id)));
      setSelected(null);
      changed("videos");
      announce(`Deleted ${what}.`);
      refreshService();
    } catch (error) {
      setFailed(errorMessage(error));
    }
  };
  const replace = (/** @type {VideoView} */ video) => {
    edit((items) => items.map((item) => (item.id === video.id ? video : item)));
    changed("videos");
    readTags();
  };
  const select = (/** @type {string} */ id, /** @type {boolean} */ on) => {
    const next = new Set(selected);
    if (on) next.add(id);
    else next.delete(id);
    setSelected(next);
  };

  const filtered = q !== "" || tag !== "";
  const searching = q.trim().length > 1;
  const empty = list?.total === 0 && !filtered && currentUploads().length === 0;
  return html`<div class="home">
    <div class="page-head">
      <h1 tabindex="-1">${searching ? "Search" : "Videos"}</h1>
      ${list !== null && !empty && !searching && html`<p class="soft">${count(list.total, "video")}${filtered ? " found" : ""}</p>`}
    </div>
    <${NoModelNotice} service=${service} />
    ${(!searching || currentUploads().length > 0) && html`<${UploadsView} service=${service} first=${empty} />`}
    ${empty && html`<${Welcome} />`}
    ${
      !empty &&
      html`<${LibraryTools}
        query=${{ q, tag, sort }}
        tags=${tags}
        choose=${choose}
        selecting=${selected !== null}
        toggleSelecting=${() => setSelected(selected === null ? new Set() : null)}
      />`
    }
    ${
      selected !== null &&
      html`<${SelectionBar}
        videos=${(list?.items ?? []).filter(({ id }) => selected.has(id))}
        all=${() => setSelected(new Set(list?.items.map(({ id }) => id)))}
        clear=${() => setSelected(null)}
        remove=${remove}
      />`
    }
    ${failed !== "" && html`<p class="problem" role="alert">${failed}</p>`}
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${list === null && problem === null && html`<p class="soft" role="status">Loading the videos…</p>`}
    ${
      outdated &&
      html`<p class="note">
        The list has changed. <button type="button" class="quiet" onClick=${again}>Show the new list</button>
      </p>`
    }
    ${
      searching &&
      list !== null &&
      html`<div class="page-head part-head">
        <h2>Videos by name</h2>
        <p class="soft">${count(list.total, "video")}${tag === "" ? "" : ` with the tag “${tag}”`}</p>
      </div>`
    }
    ${filtered && !searching && list?.total === 0 && html`<p class="soft nothing">No video ${q === "" ? "has this tag" : "has these words in its name"}.</p>`}
    ${
      list !== null &&
      list.items.length > 0 &&
      html`<ul class="videos">
        ${list.items.map(
          (video) => html`<${VideoCard}
            key=${video.id}
            video=${video}
            tags=${tags}
            remove=${() => remove([video])}
            changed=${replace}
            chooseTag=${(/** @type {string} */ name) => choose({ tag: name })}
            selected=${selected === null ? null : selected.has(video.id)}
            select=${(/** @type {boolean} */ on) => select(video.id, on)}
          />`,
        )}
      </ul>`
    }
    ${list !== null && html`<${MoreButton} list=${list} more=${more} noun="video" />`}
    ${searching && html`<${SearchResults} key=${q} words=${q} />`}
  </div>`;
}

/**
 * @param {{ videos: VideoView[], all: () => void, clear: () => void, remove: (videos: VideoView[]) => void }} props
 */
function SelectionBar({ videos, all, clear, remove }) {
  return html`<div class="selection" role="group" aria-label="Selected videos">
    <strong role="status">${count(videos.length, "video")} selected</strong>
    <button type="button" onClick=${all}>Select all shown</button>
    <button
      type="button"
      class="danger"
      disabled=${videos.length === 0}
      onClick=${() => remove(videos)}
    >
      Delete selected
    </button>
    <button type="button" class="quiet" onClick=${clear}>Done</button>
  </div>`;
}

const STEPS = /** @type {const} */ ([
  [
    "Drop a video",
    "It stays on this machine. A model receives only the frames and text that a question needs.",
  ],
  ["Ask", "An open question, one with options, or the right order of shuffled clips."],
  [
    "Check the evidence",
    "Every answer shows its evidence with times. Correct errors and reason again.",
  ],
]);

function Welcome() {
  return html`<ol class="welcome">
    ${STEPS.map(
      ([title, text]) => html`<li>
        <h2>${title}</h2>
        <p class="soft">${text}</p>
      </li>`,
    )}
  </ol>`;
}
