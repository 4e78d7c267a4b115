/** @import { ClipView, EvidenceKind, EvidenceList, EvidenceView } from "./types.d.ts" */
/** @import { QuestionStore } from "./question-store.js" */
import { noEvidenceText } from "./answer-words.js";
import { EvidenceCard, REASONED, WRITTEN } from "./evidence-card.js";
import { EvidenceEditor } from "./evidence-editor.js";
import { count, KIND_NAMES, KINDS } from "./format.js";
import { html, useEffect, useId, useMemo, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { currentOf } from "./question-store.js";
import { errorMessage } from "./request.js";
import { withCode } from "./with-code.js";
import { WordsForm } from "./words-form.js";

/** Number of uncited items that are shown at first. */
const AT_ONCE = 40;
/** The draft of an item that is to be added. */
const NEW = "new";

/**
 * All evidence of a question, cited items first; can be filtered by kind and words.
 *
 * @param {{ store: QuestionStore, list: EvidenceList, chosen: string | null, choose: (item: EvidenceView) => void, time: () => number }} props
 *   `chosen`: name of the item that is brought into view
 */
export function EvidenceListView({ store, list, chosen, choose, time }) {
  const [kind, setKind] = useState(/** @type {EvidenceKind | null} */ (null));
  const [words, setWords] = useState("");
  const [all, setAll] = useState(false);
  const titleId = useId();
  const { rejected } = list;
  const items = useMemo(() => withoutTwins(list.items), [list.items]);
  const { answer, state } = store.state.question ?? { answer: null, state: "failed" };
  const wanted = (/** @type {EvidenceView} */ item) =>
    (kind === null || item.kind === kind) &&
    (words === "" || `${item.name} ${item.text}`.toLowerCase().includes(words));

  const found = items.filter(wanted);
  const cited = found.filter((item) => item.cited);
  const others = found.filter((item) => !item.cited);
  const out = rejected.filter(wanted);
  const reasoned = others.filter((item) => REASONED.includes(item.kind));
  const recognised = others.filter((item) => !REASONED.includes(item.kind));
  const some = all ? recognised : recognised.slice(0, AT_ONCE);
  const isShown = (/** @type {EvidenceView} */ { name }) => name === chosen;
  const hides = chosen !== null && ![...cited, ...some, ...reasoned, ...out].some(isShown);
  useEffect(() => {
    if (!hides || currentOf(list, chosen ?? "") === undefined) return;
    setKind(null);
    setWords("");
    setAll(true);
  }, [chosen]);

  const there = KINDS.filter((one) => items.some((item) => item.kind === one));
  const chip = (/** @type {EvidenceKind | null} */ one, /** @type {string} */ label) => html`<button
    type="button"
    key=${label}
    class=${`chip ${one ?? ""}`}
    aria-pressed=${kind === one}
    onClick=${() => setKind(one)}
  >
    ${label}
  </button>`;
  const group = (/** @type {string} */ title, /** @type {EvidenceView[]} */ shown, isOut = false) =>
    shown.length > 0 &&
    html`<div key=${title}>
      <h4>${title} <span class="soft">${count(shown.length, "item")}</span></h4>
      <ol class="cards" aria-label=${title}>
        ${shown.map(
          (item) => html`<${EvidenceCard}
            key=${item.name}
            item=${item}
            rejected=${isOut}
            chosen=${item.name === chosen}
            store=${store}
            choose=${choose}
          />`,
        )}
      </ol>
    </div>`;
  return html`<div role="group" class="evidence" aria-labelledby=${titleId}>
    <div class="evidence-head">
      <h3 id=${titleId}>
        ${items.length === 0 ? "Evidence" : `Evidence (${items.length.toLocaleString("en")})`}
      </h3>
      <${AddButton} store=${store} time=${time} />
    </div>
    <div class="tools">
      ${
        there.length > 1 &&
        html`<div class="chips" role="group" aria-label="Kinds of evidence">
          ${chip(null, `All ${items.length}`)}
          ${there.map((one) =>
            chip(one, `${KIND_NAMES[one]} ${items.filter((item) => item.kind === one).length}`),
          )}
        </div>`
      }
      ${
        items.length >= 8 &&
        html`<input
          type="search"
          placeholder="Search the evidence"
          aria-label="Search the evidence"
          value=${words}
          onInput=${(/** @type {Event} */ { currentTarget }) =>
            setWords(/** @type {HTMLInputElement} */ (currentTarget).value.toLowerCase())}
        />`
      }
    </div>
    <${Added} store=${store} />
    <${Lost} store=${store} list=${list} />
    ${
      found.length + out.length === 0 &&
      html`<p class="soft nothing">
        ${
          items.length === 0
            ? `${noEvidenceText(state === "failed" ? null : answer)} Add what you see in the video.`
            : "No evidence matches the filter."
        }
      </p>`
    }
    ${group("Cited by the answer", cited)}
    ${group(cited.length === 0 ? "Recognised" : "Also recognised", some)}
    ${
      some.length < recognised.length &&
      html`<button type="button" onClick=${() => setAll(true)}>Show all ${recognised.length}</button>`
    }
    ${
      reasoned.length > 0 &&
      html`<details class="reasoned" open=${reasoned.some(isShown) || kind !== null || words !== ""}>
        <summary>Judged from the evidence <span class="soft">${count(reasoned.length, "item")}</span></summary>
        ${group("Comparisons and calculations", reasoned)}
      </details>`
    }
    ${group("Rejected", out, true)}
  </div>`;
}

/**
 * Opens the form of a new item at the time of the player.
 * @param {QuestionStore} store
 * @param {number} at
 */
export function beginAdding({ drafts }, at) {
  drafts.begin(NEW, {
    of: null,
    words: { text: "", start_s: at, end_s: at },
    at: "card",
    kind: "caption",
  });
}

/** @param {{ store: QuestionStore, time: () => number }} props */
function AddButton({ store, time }) {
  return html`<button type="button" data-action="add" onClick=${() => beginAdding(store, time())}>
    <${Icon} name="plus" /> Add evidence
  </button>`;
}

/**
 * The form of a new item.
 * @param {{ store: QuestionStore }} props
 */
function Added({ store }) {
  const draft = store.drafts.get(NEW);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const id = useId();
  if (draft === undefined) return null;
  const leave = () => {
    const panel = place.current?.closest(".evidence");
    store.drafts.end(NEW);
    /** @type {HTMLElement | null | undefined} */ (
      panel?.querySelector("[data-action=add]")
    )?.focus();
  };
  const kind = draft.kind ?? "caption";
  const save = async (/** @type {import("./words-form.js").Words} */ words) => {
    setProblem(null);
    const chosen = store.drafts.get(NEW)?.kind ?? kind;
    const clip =
      chosen === "caption" ? clipAt(store.state.question?.clips ?? [], words.start_s) : undefined;
    try {
      await store.add({ ...words, kind: chosen, ...(clip === undefined ? {} : { clip }) });
      leave();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return html`<div class="panel" ref=${place}>
    <${WordsForm}
      words=${draft.words}
      keep=${(/** @type {import("./words-form.js").Words} */ words) => store.drafts.keep(NEW, { words })}
      save=${save}
      leave=${leave}
    >
      <div class="field">
        <label for=${id}>Kind</label>
        <select
          id=${id}
          name="kind"
          value=${kind}
          onChange=${(/** @type {Event} */ { currentTarget }) =>
            store.drafts.keep(NEW, {
              kind: /** @type {HTMLSelectElement} */ (currentTarget).value,
            })}
        >
          ${WRITTEN.map((one) => html`<option value=${one}>${KIND_NAMES[one].replace(/s$/, "")}</option>`)}
        </select>
      </div>
    <//>
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

/**
 * A pair of clips that is compared both ways with the same result is shown once.
 * @param {readonly EvidenceView[]} items
 */
function withoutTwins(items) {
  /** @type {Map<string, EvidenceView>} */
  const shown = new Map();
  for (const item of items) {
    const key = item.kind === "comparison" ? `${item.text} ${item.clip ?? ""}` : item.id;
    const first = shown.get(key);
    if (first === undefined) shown.set(key, item);
    else shown.set(key, { ...first, cited: first.cited || item.cited });
  }
  return [...shown.values()];
}

/**
 * The clip of an order question that a new description is about.
 * @param {readonly ClipView[]} clips
 * @param {number} at
 */
function clipAt(clips, at) {
  return clips.find(({ start_s, end_s }) => at >= start_s && at < end_s)?.number;
}

/**
 * Edits of items that someone else removed meanwhile.
 * @param {{ store: QuestionStore, list: EvidenceList }} props
 */
function Lost({ store, list }) {
  const lost = store.drafts
    .all()
    .filter(([name, draft]) => draft.of !== null && currentOf(list, name) === undefined);
  return lost.map(
    ([name, draft]) => html`<div class="panel" key=${name}>
      <${EvidenceEditor}
        name=${name}
        draft=${draft}
        item=${undefined}
        rejected=${false}
        store=${store}
        left=${() => {}}
      />
    </div>`,
  );
}
