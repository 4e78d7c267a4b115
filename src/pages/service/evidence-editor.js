/** @import { EvidenceView } from "./types.d.ts" */
/** @import { Draft } from "./drafts.js" */
/** @import { QuestionStore } from "./question-store.js" */
/** @import { Words } from "./words-form.js" */
import { shownText } from "./answer-words.js";
import { span } from "./format.js";
import { html, useState } from "./html.js";
import { isOutdated } from "./question-store.js";
import { errorMessage } from "./request.js";
import { withCode } from "./with-code.js";
import { WordsForm } from "./words-form.js";

/**
 * The open form of a correction. If someone else changed the item meanwhile, both versions are shown, and the person
 * decides: nothing that was typed is lost.
 *
 * @param {{ name: string, draft: Draft, item: EvidenceView | undefined, rejected: boolean, store: QuestionStore,
 *   left: () => void }} props
 *   `item`: the current item of that name; `left`: called when the form is closed
 */
export function EvidenceEditor({ name, draft, item, rejected, store, left }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [saving, setSaving] = useState(false);
  const { drafts } = store;
  const leave = () => {
    drafts.end(name);
    left();
  };
  const save = async (/** @type {Words} */ words) => {
    setProblem(null);
    setSaving(true);
    try {
      if (item === undefined) await store.add({ ...words, kind: draft.of?.kind ?? "caption" });
      else await store.edit(item, words);
      leave();
    } catch (error) {
      // The item of the service is shown as soon as it is loaded.
      setProblem(isOutdated(error) ? null : errorMessage(error));
      setSaving(false);
    }
  };
  const theirs = !saving && draft.of !== null && draft.of.id !== item?.id;
  const nowRejected = rejected && draft.of !== null && !theirs && draft.words.text !== "";
  const [version, setVersion] = useState(0);
  const take = (/** @type {Partial<Words>} */ words) => {
    drafts.keep(name, { words: { ...draft.words, ...words } });
    setVersion(version + 1);
  };
  return html`
    ${
      theirs &&
      html`<${Conflict}
        name=${name}
        item=${item}
        draft=${draft}
        take=${take}
        theirs=${leave}
      />`
    }
    ${nowRejected && html`<p class="note">This item is rejected. Saving puts it back with your words.</p>`}
    <${WordsForm}
      key=${version}
      words=${drafts.get(name)?.words ?? draft.words}
      keep=${(/** @type {Words} */ words) => drafts.keep(name, { words })}
      save=${save}
      leave=${leave}
      saveLabel=${theirs ? "Save my version" : "Save"}
    />
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  `;
}

/**
 * Both versions of an item that two people changed.
 * @param {{ name: string, item: EvidenceView | undefined, draft: Draft, take: (words: Partial<Words>) => void, theirs: () => void }} props
 */
function Conflict({ name, item, draft, take, theirs }) {
  const by = item?.by.who === "person" && item.by.name !== "person" ? item.by.name : "Someone else";
  const mine = draft.words.text;
  return html`<div class="conflict" role="alert">
    <p>
      <strong>${item === undefined ? `Someone else removed ${name}` : `${by} changed ${name}`} while you edited it.</strong>
      ${" "}Your words are kept below.
    </p>
    ${
      item !== undefined &&
      html`<figure>
        <figcaption class="soft">The saved version, ${span(item)}</figcaption>
        <blockquote>${shownText(item)}</blockquote>
      </figure>`
    }
    <div class="actions">
      <button type="button" onClick=${theirs}>
        ${item === undefined ? "Discard my version" : "Keep the saved version"}
      </button>
      ${
        item !== undefined &&
        html`<button type="button" onClick=${() => take({ text: `${item.text}\n${mine}` })}>
          Merge both texts
        </button>`
      }
    </div>
  </div>`;
}
