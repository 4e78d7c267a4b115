/** @import { QuestionView, Review } from "./types.d.ts" */
/** @import { QuestionStore } from "./question-store.js" */

import { choiceText } from "./answer-words.js";
import { exportUrl } from "./api.js";
import { html, useId, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { OrderEditor, startOrder } from "./order-strip.js";
import { isOutdated, isSettled } from "./question-store.js";
import { errorMessage } from "./request.js";
import { useDraft } from "./use-draft.js";
import { withCode } from "./with-code.js";

/**
 * What a person writes about an answer. `seen`: the review that the person knew of when the form was opened; `right` and
 * `note`: null until they are changed.
 *
 * @typedef {{ isOpen: boolean, seen: Review | null, right: string | number[] | null, note: string | null }} ReviewDraft
 */

/** @type {ReviewDraft} */
const NOTHING_WRITTEN = { isOpen: false, seen: null, right: null, note: null };

/**
 * A person's judgement of the answer: right, or wrong and what is right.
 * @param {{ store: QuestionStore, question: QuestionView }} props
 */
export function ReviewView({ store, question }) {
  const { answer, review } = question;
  const [draft, change, forget] = useDraft(`review:${question.id}`, NOTHING_WRITTEN);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const wrong = useRef(/** @type {HTMLButtonElement | null} */ (null));
  if (!isSettled(question) || answer === null) return null;
  const theirs = draft.isOpen && draft.seen?.reviewed_at !== review?.reviewed_at ? review : null;
  /** @param {Record<string, unknown>} body */
  const put = async (body) => {
    setProblem(null);
    try {
      // Both versions are on the page: saving replaces the other one knowingly.
      await store.review(body, review);
      forget();
    } catch (error) {
      setProblem(
        isOutdated(error)
          ? "Someone else reviewed this answer in the meantime. Their review is shown. Save again to replace it."
          : errorMessage(error),
      );
    }
  };
  const hasAnswer = answer.answer !== null;
  const leave = () => {
    forget();
    setTimeout(() => wrong.current?.focus());
  };
  return html`<div role="group" class="review" aria-label="Review">
    <div class="review-head">
      <strong>${hasAnswer ? "Is this answer right?" : "Do you know the answer?"}</strong>
      <div class="actions">
        ${
          hasAnswer &&
          html`<button
            type="button"
            aria-pressed=${review?.verdict === "approved"}
            onClick=${() => put({ verdict: "approved" })}
          >
            <${Icon} name="check" /> Right
          </button>`
        }
        <button
          type="button"
          ref=${wrong}
          aria-pressed=${review?.verdict === "corrected"}
          aria-expanded=${draft.isOpen}
          onClick=${() => (draft.isOpen ? forget() : change({ isOpen: true, seen: review }))}
        >
          ${hasAnswer ? html`<${Icon} name="close" /> Wrong, the answer is …` : "Give the right answer …"}
        </button>
      </div>
    </div>
    ${question.conflict && html`<p class="note">Reviewers disagree about this answer. Another person settles it in the review queue.</p>`}
    ${review !== null && theirs === null && html`<p>${reviewText(question, review)}</p>`}
    ${
      theirs !== null &&
      html`<div class="conflict" role="alert">
        <p>
          <strong>${theirs.by === "person" ? "Someone else" : theirs.by} reviewed this answer while you wrote.</strong>
          ${" "}Your answer is kept below.${theirs.by !== "person" && " If the two differ, another person settles it in the review queue."}
        </p>
        <figure>
          <figcaption class="soft">The saved review</figcaption>
          <blockquote>${reviewText(question, theirs)}</blockquote>
        </figure>
        <div class="actions">
          <button type="button" onClick=${leave}>Discard my answer</button>
          <button type="button" onClick=${() => put(theirs.verdict === "approved" ? { verdict: "approved" } : { verdict: "corrected", answer: theirs.answer })}>
            Agree with ${theirs.by === "person" ? "it" : theirs.by}
          </button>
        </div>
      </div>`
    }
    ${
      draft.isOpen &&
      html`<${RightAnswer}
        question=${question}
        draft=${draft}
        change=${change}
        action=${theirs === null ? "Save the right answer" : "Save my answer"}
        save=${put}
        leave=${leave}
      />`
    }
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
  </div>`;
}

/**
 * @param {QuestionView} question
 * @param {NonNullable<QuestionView["review"]>} review
 */
function reviewText({ asked }, { verdict, answer, note, by }) {
  const who = by === "person" ? "" : ` by ${by}`;
  const said =
    verdict === "approved"
      ? `Marked as right${who}.`
      : `Wrong. The right answer${who === "" ? "" : `,${who}`}: ${choiceText(asked, answer)}`;
  return `${said}${note === null || note === "" ? "" : ` — ${note}`}`;
}

/**
 * @param {{ question: QuestionView, draft: ReviewDraft, change: (part: Partial<ReviewDraft>) => void, action: string, save: (body: Record<string, unknown>) => Promise<void>, leave: () => void }} props
 *   `action`: the words of the button
 */
function RightAnswer({ question, draft, change, action, save, leave }) {
  const { asked, answer } = question;
  const { seen } = draft;
  const id = useId();
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const right = draft.right ?? (seen?.verdict === "corrected" ? seen.answer : null);
  const note = draft.note ?? seen?.note ?? "";
  const setRight = (/** @type {string | number[]} */ value) => change({ right: value });
  const own = answer?.answer ?? null;
  useLayoutEffect(() => {
    /** @type {HTMLElement | null | undefined} */ (
      form.current?.querySelector("input, textarea, li[tabindex]")
    )?.focus();
  }, []);
  const clips = (question.clips ?? []).map(({ number }) => number);
  const started = Array.isArray(right) ? right : startOrder(own, clips);
  const value = asked.task === "order" ? started : typeof right === "string" ? right.trim() : "";
  const isSame = JSON.stringify(value) === JSON.stringify(own);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = note.trim();
    save({ verdict: "corrected", answer: value, ...(words === "" ? {} : { note: words }) });
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") leave();
  };
  const inputOf = (/** @type {Event} */ { currentTarget }) =>
    /** @type {HTMLInputElement | HTMLTextAreaElement} */ (currentTarget).value;
  const choices = (asked.options ?? []).filter(({ letter }) => letter !== own);
  return html`<form class="words-form" ref=${form} onSubmit=${submit} onKeyDown=${onKeyDown}>
    ${
      asked.task === "choice" &&
      html`<fieldset>
        <legend>The right answer</legend>
        ${choices.map(
          ({ letter, text }) => html`<div class="check" key=${letter}>
            <input
              type="radio"
              id=${`${id}-${letter}`}
              name=${`${id}-right`}
              required
              value=${letter}
              checked=${right === letter}
              onChange=${() => setRight(letter)}
            />
            <label for=${`${id}-${letter}`}>(${letter}) ${text}</label>
          </div>`,
        )}
      </fieldset>`
    }
    ${
      asked.task === "order" &&
      html`<p class="soft">Drag the clips into their right order, or move them with the arrow keys.</p>
        <${OrderEditor}
          order=${started}
          clips=${question.clips ?? []}
          video=${question.video}
          change=${setRight}
        />`
    }
    ${
      asked.task === "open" &&
      html`<div class="field">
        <label for=${`${id}-text`}>The right answer</label>
        <textarea
          id=${`${id}-text`}
          rows="2"
          required
          maxlength="20000"
          value=${typeof right === "string" ? right : ""}
          onInput=${(/** @type {Event} */ event) => setRight(inputOf(event))}
        ></textarea>
      </div>`
    }
    <div class="field">
      <label for=${`${id}-note`}>Note (reason, or where the video shows it)</label>
      <input id=${`${id}-note`} maxlength="20000" value=${note} onInput=${(/** @type {Event} */ event) => change({ note: inputOf(event) })} />
    </div>
    ${isSame && html`<p class="soft">This is the model's answer. Change it, or mark the answer as right.</p>`}
    <div class="actions">
      <button class="primary" disabled=${isSame || value.length === 0}>${action}</button>
      <button type="button" class="quiet" onClick=${leave}>Cancel</button>
    </div>
  </form>`;
}

/**
 * Links to files of the question.
 * @param {{ question: QuestionView }} props
 */
export function Downloads({ question: { id, review, asked, clips } }) {
  const order = review?.answer;
  const isWhole =
    !Array.isArray(order) || (clips ?? []).every(({ number }) => order.includes(number));
  const hasRow = review !== null && asked.task !== "open" && isWhole;
  return html`<p class="exports">
    <span class="soft"><${Icon} name="download" /> Download</span>
    <a href=${exportUrl(id, "json")} download>JSON</a>
    <a href=${exportUrl(id, "html")} download>Page</a>
    ${hasRow && html`<a href=${exportUrl(id, "row")} download>Row of a test set</a>`}
  </p>`;
}
