/** @import { EvidenceView } from "./types.d.ts" */
/** @import { QuestionStore } from "./question-store.js" */
import { clock } from "./clock.js";
import { classes, wordsOf } from "./evidence-card.js";
import { EvidenceEditor } from "./evidence-editor.js";
import { html, useEffect, useId, useMemo, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

/**
 * What is said in the video: its speech or its subtitles, next to the player. The line that is said now is marked; a line
 * leads to its second, and is corrected in place.
 *
 * @param {{ store: QuestionStore, items: readonly EvidenceView[], chosen: string | null,
 *   choose: (item: EvidenceView) => void, watch: (watcher: (seconds: number) => void) => () => void }} props
 */
export function Transcript({ store, items, chosen, choose, watch }) {
  const id = useId();
  const [words, setWords] = useState("");
  const [now, setNow] = useState(/** @type {string | null} */ (null));
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  const lines = useMemo(
    () =>
      items
        .filter(({ kind, text }) => (kind === "speech" || kind === "subtitle") && text !== "")
        .sort((a, b) => a.start_s - b.start_s),
    [items],
  );
  useEffect(
    () =>
      watch((seconds) => {
        const line = lines.findLast(({ start_s, end_s }) => start_s <= seconds && seconds < end_s);
        setNow(line?.name ?? null);
      }),
    [lines],
  );
  useEffect(() => {
    const line = list.current?.querySelector(".now");
    if (line instanceof HTMLElement && list.current !== null) bringIntoView(line, list.current);
  }, [now]);
  if (lines.length === 0) return null;
  const wanted = words.trim().toLowerCase();
  const found =
    wanted === "" ? lines : lines.filter(({ text }) => text.toLowerCase().includes(wanted));
  return html`<section class="transcript panel" aria-labelledby=${id}>
    <div class="evidence-head">
      <h3 id=${id}>Transcript</h3>
      <input
        type="search"
        placeholder="Search the transcript"
        aria-label="Search the transcript"
        value=${words}
        onInput=${(/** @type {Event} */ { currentTarget }) =>
          setWords(/** @type {HTMLInputElement} */ (currentTarget).value)}
      />
    </div>
    ${wanted !== "" && html`<p class="soft" role="status">${found.length} of ${lines.length} lines</p>`}
    <ol ref=${list}>
      ${found.map(
        (item) => html`<${Line}
          key=${item.name}
          item=${item}
          store=${store}
          now=${item.name === now}
          chosen=${item.name === chosen}
          wanted=${wanted}
          choose=${choose}
        />`,
      )}
    </ol>
  </section>`;
}

/**
 * @param {{ item: EvidenceView, store: QuestionStore, now: boolean, chosen: boolean, wanted: string, choose: (item: EvidenceView) => void }} props
 */
function Line({ item, store, now, chosen, wanted, choose }) {
  const line = useRef(/** @type {HTMLLIElement | null} */ (null));
  const draft = store.drafts.get(item.name);
  const { speaker } = item.data ?? {};
  const edit = () =>
    store.drafts.begin(item.name, { of: item, words: wordsOf(item), at: "transcript" });
  const left = () =>
    setTimeout(() =>
      /** @type {HTMLElement | null | undefined} */ (
        line.current?.querySelector(".pencil")
      )?.focus(),
    );
  return html`<li
    ref=${line}
    class=${classes("line", item.kind, now && "now", chosen && "chosen", item.cited && "cited")}
    aria-current=${now ? "true" : undefined}
  >
    ${
      draft?.at === "transcript"
        ? html`<${EvidenceEditor} name=${item.name} draft=${draft} item=${item} rejected=${false} store=${store} left=${left} />`
        : html`<button type="button" class="said" onClick=${() => choose(item)}>
              <span class="soft">${clock(item.start_s)}</span>
              <span>
                ${typeof speaker === "string" && html`<strong>${speaker}: </strong>`}<${Found} text=${item.text} wanted=${wanted} />
              </span>
            </button>
            <button type="button" class="quiet pencil" aria-label=${`Correct ${item.name}`} onClick=${edit}>
              <${Icon} name="pencil" />
            </button>`
    }
  </li>`;
}

/**
 * A text with what was searched for marked.
 * @param {{ text: string, wanted: string }} props
 */
function Found({ text, wanted }) {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return text;
  const end = at + wanted.length;
  return html`<span>${text.slice(0, at)}<mark>${text.slice(at, end)}</mark>${text.slice(end)}</span>`;
}

/**
 * Scrolls only the list, never the page.
 * @param {HTMLElement} line
 * @param {HTMLElement} list
 */
function bringIntoView(line, list) {
  const top = line.offsetTop - list.offsetTop;
  const isVisible =
    top >= list.scrollTop && top + line.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = top - list.clientHeight / 3;
}
