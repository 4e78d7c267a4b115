/** @import { NextReview, Rating, ServiceView } from "./types.d.ts" */
/** @import { PlayerHandle } from "./player.js" */
import { AnswerForm } from "./answer-form.js";
import { answerText, choiceText } from "./answer-words.js";
import { nextReview, rateAnswer, undoRating } from "./api.js";
import { CheckField } from "./field.js";
import { count } from "./format.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { FailureNotice } from "./notices.js";
import { startOrder } from "./order-strip.js";
import { Player } from "./player.js";
import { questionWords } from "./question-row.js";
import { RaterName, useRaterName } from "./rater-name.js";
import { errorMessage } from "./request.js";
import { pathTo } from "./routes.js";
import { useFetched } from "./use-fetched.js";
import { useSeconds } from "./use-seconds.js";
import { withCode } from "./with-code.js";

/**
 * Answers to review, one after the other.
 * @param {{ service: ServiceView }} props
 */
export function QueueView({ service }) {
  const { name, change } = useRaterName();
  const rater = service.caller === null && name !== "" ? name : undefined;
  const [of, setOf] = useState(/** @type {"open" | "conflict"} */ ("open"));
  const [blind, setBlind] = useState(service.reviews.blind);
  const [after, setAfter] = useState(/** @type {string | undefined} */ (undefined));
  const [last, setLast] = useState(
    /** @type {{ question: string, rating: string, words: string } | null} */ (null),
  );
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const fetched = useFetched(
    () => nextReview({ of, after, rater, blind: String(blind) }),
    [of, after, rater, blind],
  );
  const next = fetched.value;
  const seconds = useSeconds(next);
  const save = async (/** @type {Record<string, unknown>} */ given) => {
    const item = next?.item;
    if (item == null) return;
    setProblem(null);
    try {
      const { items } = await rateAnswer(item.id, { ...given, seconds: seconds(), rater });
      const own = items.at(-1);
      setLast(
        own === undefined
          ? null
          : { question: item.id, rating: own.id, words: questionWords({ asked: item.asked }) },
      );
      fetched.again();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  const undo = async () => {
    if (last === null) return;
    try {
      await undoRating(last.question, last.rating, rater);
      setLast(null);
      setAfter(undefined);
      fetched.again();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return html`<div class="narrow queue">
    <h1 tabindex="-1">Review answers</h1>
    ${next !== null && html`<${Progress} progress=${next.progress} />`}
    <div class="filters" role="group" aria-label="Queue">
      ${service.caller === null && html`<${RaterName} name=${name} change=${change} hint="Shown with your reviews" />`}
      <${CheckField}
        label="Only answers that reviewers disagree about"
        checked=${of === "conflict"}
        onChange=${(/** @type {boolean} */ on) => {
          setAfter(undefined);
          setOf(on ? "conflict" : "open");
        }}
      />
      ${
        !service.reviews.blind &&
        html`<${CheckField}
          label="Hide the answer until I gave mine"
          checked=${blind}
          onChange=${setBlind}
        />`
      }
    </div>
    ${
      last !== null &&
      html`<p class="note" role="status">
        Saved: ${last.words}
        <button type="button" class="quiet" onClick=${undo}>Undo</button>
      </p>`
    }
    ${fetched.problem !== null && html`<${FailureNotice} sentence=${fetched.problem} again=${fetched.again} />`}
    ${problem !== null && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    ${
      next?.item == null
        ? next !== null &&
          html`<${Done} of=${of} after=${after} restart=${() => setAfter(undefined)} />`
        : html`<${Item}
            key=${next.item.id}
            item=${next.item}
            moved=${last !== null || after !== undefined}
            save=${save}
            skip=${() => setAfter(next.item?.id)}
          />`
    }
  </div>`;
}

/** @param {{ progress: NextReview["progress"] }} props */
function Progress({ progress: { total, settled, conflicts, mine } }) {
  return html`<p class="soft" role="status">
      ${settled} of ${count(total, "answer")} settled${conflicts > 0 && html`, ${count(conflicts, "conflict")}`};
      you reviewed ${mine}
    </p>
    <progress aria-label="Settled answers" max=${Math.max(1, total)} value=${settled}></progress>`;
}

/** @param {{ of: string, after: string | undefined, restart: () => void }} props */
function Done({ of, after, restart }) {
  if (after !== undefined)
    return html`<p class="nothing">
      That was the last one. <button type="button" class="quiet" onClick=${restart}>Show the skipped ones</button>
    </p>`;
  return html`<p class="soft nothing">
    ${of === "conflict" ? "No conflict waits for you." : "No answer waits for your review."}
  </p>`;
}

/**
 * @param {{
 *   item: NonNullable<NextReview["item"]>, moved: boolean, skip: () => void,
 *   save: (given: Record<string, unknown>) => Promise<void>,
 * }} props `moved`: the person came here from another answer, whose buttons had the focus
 */
function Item({ item, moved, save, skip }) {
  const { asked, video, question, blind, ratings } = item;
  /** @type {{ current: PlayerHandle | null }} */
  const player = useRef(null);
  const [isWrong, setWrong] = useState(false);
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useEffect(() => {
    if (moved) heading.current?.focus({ preventScroll: true });
  }, []);
  const answer = question?.answer ?? null;
  const known = answer !== null && answer.answer !== null;
  const clips = item.clips ?? [];
  const order = startOrder(
    answer?.answer ?? null,
    clips.map(({ number }) => number),
  );
  return html`<article class="panel">
    <p class="soft">${video.name}</p>
    <${Player} video=${video} handle=${player} onTime=${() => {}} />
    <h2 tabindex="-1" ref=${heading}>${questionWords({ asked })}</h2>
    ${
      ratings.length > 0 &&
      html`<ul class="ratings" aria-label="Reviews so far">
        ${ratings.filter(({ undone_at }) => undone_at === null).map((rating) => html`<${Verdict} key=${rating.id} asked=${asked} rating=${rating} />`)}
      </ul>`
    }
    ${
      !blind &&
      question !== null &&
      html`<p>
        <strong>Answer: </strong>${answer === null ? "none" : answerText(asked, answer)}
        ${" "}<a href=${pathTo(question.video, question.id)}>Evidence</a>
      </p>`
    }
    <div class="actions">
      ${
        !blind &&
        known &&
        html`<button type="button" class="primary" onClick=${() => save({ verdict: "approved" })}>
            <${Icon} name="check" /> Right
          </button>
          <button type="button" aria-expanded=${isWrong} onClick=${() => setWrong(!isWrong)}>
            <${Icon} name="close" /> Wrong, the answer is …
          </button>`
      }
      <button type="button" class="quiet" onClick=${skip}>Skip</button>
    </div>
    ${
      (blind || isWrong || !known) &&
      html`<${AnswerForm} asked=${asked} hasNote=${true} clips=${{ order, clips, video: video.id }} action=${blind ? "Save my answer" : "Save the right answer"} save=${save} />`
    }
  </article>`;
}

/** @param {{ asked: NonNullable<NextReview["item"]>["asked"], rating: Rating }} props */
function Verdict({ asked, rating: { rater, answer, note } }) {
  return html`<li>
    <strong>${rater}</strong>: ${choiceText(asked, answer)}${note !== null && note !== "" && html` — ${note}`}
  </li>`;
}
