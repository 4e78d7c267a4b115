/** @import { ClipView, Question } from "./types.d.ts" */
import { Field, fieldValue } from "./field.js";
import { html, useId, useState } from "./html.js";
import { OrderEditor } from "./order-strip.js";

/**
 * The clips of an order question. `order`: the order to begin with, empty if the clips are not known.
 * @typedef {{ order: readonly number[], clips: readonly ClipView[], video: string }} Clips
 */

/**
 * A form for a person's own answer: a choice, an order of clips, or a text.
 * @param {{
 *   asked: Pick<Question, "task"> & { options?: readonly { letter: string, text: string }[] | undefined },
 *   action: string, hasNote?: boolean, clips?: Clips,
 *   save: (given: { answer: string | number[], note?: string }) => Promise<void>,
 * }} props `action`: the words of the button
 */
export function AnswerForm({ asked, action, hasNote = false, clips, save }) {
  const { task, options = [] } = asked;
  const id = useId();
  const [given, setGiven] = useState("");
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const isStoryboard = task === "order" && clips !== undefined && clips.order.length > 0;
  const [order, setOrder] = useState(clips?.order ?? []);
  const answer = isStoryboard ? [...order] : task === "order" ? numbersIn(given) : given.trim();
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    const words = note.trim();
    await save({ answer, ...(words === "" ? {} : { note: words }) });
    setBusy(false);
  };
  const take = (/** @type {Event} */ event) => setGiven(fieldValue(event));
  return html`<form class="words-form" onSubmit=${submit}>
    ${
      task === "choice" &&
      html`<fieldset>
        <legend>Your answer</legend>
        ${options.map(
          ({ letter, text }) => html`<div class="check" key=${letter}>
            <input
              type="radio"
              id=${`${id}-${letter}`}
              name=${`${id}-answer`}
              required
              value=${letter}
              checked=${given === letter}
              onChange=${take}
            />
            <label for=${`${id}-${letter}`}>(${letter}) ${text}</label>
          </div>`,
        )}
      </fieldset>`
    }
    ${
      isStoryboard &&
      html`<p class="soft">Drag the clips into their right order, or move them with the arrow keys.</p>
        <${OrderEditor} order=${order} clips=${clips.clips} video=${clips.video} change=${setOrder} />`
    }
    ${
      task === "order" &&
      !isStoryboard &&
      html`<${Field}
        label="Your order of the clips"
        hint="Their numbers, for example 2, 1, 3"
        control=${(/** @type {object} */ ids) => html`<input ...${ids} required value=${given} onInput=${take} />`}
      />`
    }
    ${
      task === "open" &&
      html`<${Field}
        label="Your answer"
        control=${(/** @type {object} */ ids) => html`<textarea ...${ids} rows="2" required maxlength="20000" value=${given} onInput=${take}></textarea>`}
      />`
    }
    ${
      hasNote &&
      html`<${Field}
        label="Note (reason, or where the video shows it)"
        control=${(/** @type {object} */ ids) => html`<input
          ...${ids}
          maxlength="20000"
          value=${note}
          onInput=${(/** @type {Event} */ event) => setNote(fieldValue(event))}
        />`}
      />`
    }
    <div class="actions">
      <button class="primary" disabled=${busy || answer.length === 0}>${action}</button>
    </div>
  </form>`;
}

/** @param {string} text */
function numbersIn(text) {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}
