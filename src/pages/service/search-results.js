/** @import { SearchHit } from "./types.d.ts" */
import { searchLibrary, thumbnailUrl } from "./api.js";
import { clock } from "./clock.js";
import { count } from "./format.js";
import { html, useState } from "./html.js";
import { Icon } from "./icon.js";
import { markedText, TEXT_KIND_WORDS } from "./marked-text.js";
import { FailureNotice } from "./notices.js";
import { errorMessage } from "./request.js";
import { pathToSecond } from "./routes.js";
import { useFetched } from "./use-fetched.js";

const KINDS = /** @type {const} */ ([
  ["transcript,text,caption", "Everything"],
  ["transcript", "Speech and subtitles"],
  ["text", "Text on screen"],
  ["caption", "Captions"],
]);
const AT_ONCE = 20;

/**
 * Moments in all videos whose words match.
 * @param {{ words: string }} props
 */
export function SearchResults({ words }) {
  const [kinds, setKinds] = useState(/** @type {string} */ (KINDS[0][0]));
  const found = useFetched(
    () => searchLibrary({ q: words, kinds, limit: AT_ONCE }),
    [words, kinds],
  );
  const { value, problem, again, set } = found;
  const [failed, setFailed] = useState("");
  const more = async () => {
    if (value?.next == null) return;
    try {
      const page = await searchLibrary({ q: words, kinds, limit: AT_ONCE, cursor: value.next });
      set({ ...page, items: [...value.items, ...page.items] });
    } catch (error) {
      setFailed(errorMessage(error));
    }
  };
  return html`<section class="moments" aria-label="Moments">
    <div class="page-head">
      <h2>Moments</h2>
      <p class="soft" role="status">
        ${value === null ? (problem === null ? "Searching…" : "") : `${count(value.total, "moment")} found`}
      </p>
    </div>
    <div class="chips" role="group" aria-label="Where to search">
      ${KINDS.map(
        ([value, label]) => html`<button
          type="button"
          class="chip"
          aria-pressed=${String(kinds === value)}
          onClick=${() => setKinds(value)}
        >
          ${label}
        </button>`,
      )}
    </div>
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${
      value?.total === 0 &&
      html`<p class="soft nothing">
        No moment matches. Speech, text and captions of a video can be found once a question was asked about it.
      </p>`
    }
    <ol class="hits">${value?.items.map((hit) => html`<${Hit} hit=${hit} words=${words} />`)}</ol>
    ${failed !== "" && html`<p class="problem" role="alert">${failed}</p>`}
    ${
      value !== null &&
      value.next !== null &&
      html`<p class="more"><button type="button" onClick=${more}>More moments</button></p>`
    }
  </section>`;
}

/** @param {{ hit: SearchHit, words: string }} props */
function Hit({ hit: { video, name, kind, start_s, text, match }, words }) {
  const [missing, setMissing] = useState(false);
  return html`<li>
    <a class="hit" href=${pathToSecond(video, start_s, words)}>
      <span class="hit-picture">
        ${
          missing
            ? html`<${Icon} name="sound" />`
            : html`<img src=${thumbnailUrl(video, start_s)} alt="" loading="lazy" onError=${() => setMissing(true)} />`
        }
        <span class="length">${clock(start_s)}</span>
      </span>
      <span class="hit-words">
        <span class="name">${name}</span>
        <span>${markedText(text, match)}</span>
        <span class="soft">${TEXT_KIND_WORDS[kind] ?? kind}, ${clock(start_s)}</span>
      </span>
    </a>
  </li>`;
}
