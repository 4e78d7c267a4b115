/** @import { VideoText, VideoView } from "./types.d.ts" */
/** @import { Screen } from "./question-view.js" */
import { listTexts, searchLibrary, thumbnailUrl } from "./api.js";
import { onChanged } from "./changes.js";
import { clock } from "./clock.js";
import { classes } from "./evidence-card.js";
import { html, useEffect, useId, useRef, useState } from "./html.js";
import { markedText, TEXT_KIND_WORDS } from "./marked-text.js";
import { pathToSecond } from "./routes.js";
import { useFetched } from "./use-fetched.js";

/** Seconds before and after the player that are listed. */
const NEAR_S = 45;
/** Most matches of one video to step through. */
const MATCHES = 200;

/**
 * What is said, written and seen around the second of the player. After a search, the words that were found are marked,
 * and the moment has its picture.
 * @param {{ video: VideoView, at: number | null, words: string, screen: Screen }} props
 *   `at`: the second of the moment that was found; `words`: what was searched for
 */
export function VideoTexts({ video, at, words, screen }) {
  const id = useId();
  const [middle, setMiddle] = useState(at ?? 0);
  const [now, setNow] = useState(/** @type {number | null} */ (null));
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const { value, again } = useFetched(
    () =>
      listTexts(video.id, {
        from_s: Math.max(0, middle - NEAR_S),
        to_s: middle + NEAR_S,
        q: words || undefined,
        limit: 200,
      }),
    [video.id, middle, words],
  );
  useEffect(() => {
    if (at !== null) setMiddle(at);
  }, [at]);
  useEffect(() => onChanged(video.id, again), [again]);
  useEffect(
    () =>
      screen.watch((seconds) => {
        setNow(Math.round(seconds * 2) / 2);
        setMiddle((before) => (Math.abs(seconds - before) > NEAR_S / 2 ? seconds : before));
      }),
    [screen],
  );
  const items = value?.items ?? [];
  const found = at === null || words === "" ? undefined : foundAt(items, at);
  useEffect(() => {
    const line = list.current?.querySelector(".found") ?? list.current?.querySelector(".now");
    if (line instanceof HTMLElement && list.current !== null)
      list.current.scrollTop =
        line.offsetTop - list.current.offsetTop - list.current.clientHeight / 4;
  }, [value, found?.start_s]);
  if (items.length === 0) return null;
  return html`<section class="transcript nearby panel" aria-labelledby=${id}>
    <div class="evidence-head">
      <h2 id=${id}>
        ${found === undefined ? "What is said and shown" : `Found at ${clock(found.start_s)}`}
      </h2>
      ${words !== "" && html`<${Matches} video=${video.id} words=${words} at=${found?.start_s ?? at} />`}
    </div>
    <ol ref=${list} tabindex="0" aria-labelledby=${id}>
      ${items.map((item) => {
        const isNow = now !== null && item.start_s <= now && now < item.end_s;
        return html`<${Line}
          key=${`${item.evidence} ${item.start_s}`}
          item=${item}
          video=${video}
          found=${item === found}
          now=${isNow}
          seek=${screen.seek}
        />`;
      })}
    </ol>
  </section>`;
}

/** @param {{ item: VideoText, video: VideoView, found: boolean, now: boolean, seek: (seconds: number) => void }} props */
function Line({ item: { kind, start_s, text, match }, video, found, now, seek }) {
  return html`<li
    class=${classes("line", kind, found && "found", now && "now")}
    aria-current=${found ? "true" : undefined}
  >
    <button type="button" class="said" onClick=${() => seek(start_s)}>
      <span class="soft">${clock(start_s)}</span>
      <span>${markedText(text, match)} <span class="soft how-known">${TEXT_KIND_WORDS[kind] ?? kind}</span></span>
    </button>
    ${
      found &&
      video.width !== null &&
      html`<img class="line-picture" src=${thumbnailUrl(video.id, start_s)} alt=${`Frame near ${clock(start_s)}`} />`
    }
  </li>`;
}

/**
 * Leads to the matches before and after the shown one.
 * @param {{ video: string, words: string, at: number | null }} props
 */
function Matches({ video, words, at }) {
  const { value } = useFetched(
    () => searchLibrary({ q: words, video, kinds: "transcript,text,caption", limit: MATCHES }),
    [video, words],
  );
  if (value === null || value.items.length === 0) return null;
  const seconds = [...new Set(value.items.map(({ start_s }) => start_s))].sort((a, b) => a - b);
  const place = seconds.findIndex((second) => second >= (at ?? 0) - 0.01);
  const link = (/** @type {number | undefined} */ second, /** @type {string} */ label) =>
    second !== undefined && html`<a href=${pathToSecond(video, second, words)}>${label}</a>`;
  return html`<p class="steps">
    <span class="soft">${place < 0 ? "" : `${place + 1} of `}${seconds.length} with “${words}”</span>
    ${link(seconds[place < 0 ? seconds.length - 1 : place - 1], "Previous")}
    ${link(place < 0 ? undefined : seconds[place + 1], "Next")}
  </p>`;
}

/**
 * The text with the searched words that is nearest to a second.
 * @param {readonly VideoText[]} items
 * @param {number} at
 */
function foundAt(items, at) {
  const [nearest] = items
    .filter(({ match }) => match.length > 0)
    .sort((a, b) => Math.abs(a.start_s - at) - Math.abs(b.start_s - at));
  return nearest;
}
