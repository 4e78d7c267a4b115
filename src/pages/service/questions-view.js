/** @import { ServiceView } from "./types.d.ts" */
import { listQuestions } from "./api.js";
import { Field, fieldValue } from "./field.js";
import { count, STATE_NAMES } from "./format.js";
import { html, useEffect, useState } from "./html.js";
import { SearchBox } from "./library-tools.js";
import { may } from "./may.js";
import { MoreButton } from "./more-button.js";
import { FailureNotice } from "./notices.js";
import { QuestionRow } from "./question-row.js";
import { pathToList } from "./routes.js";
import { TableQuestions } from "./table-questions.js";
import { useList } from "./use-list.js";

const VERDICTS = /** @type {const} */ ([
  ["none", "Not reviewed"],
  ["approved", "Right"],
  ["corrected", "Wrong, corrected"],
  ["conflict", "Reviewers disagree"],
]);
const FILTERS = ["q", "state", "verdict", "strategy", "model", "since", "until"];

/**
 * The questions about all videos, with filters.
 * @param {{ service: ServiceView, query: Record<string, string> }} props
 */
export function QuestionsView({ service, query: given }) {
  const [query, setQuery] = useState(given);
  // Each step of the address brings a new object. Filters replace the address without a step.
  useEffect(() => setQuery(given), [given]);
  const choose = (/** @type {Record<string, string>} */ change) => {
    const next = { ...query, ...change };
    setQuery(next);
    history.replaceState(history.state, "", pathToList("questions", next));
  };
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query[name] || undefined]));
  const { since, until } = filters;
  const { list, problem, more, again, outdated } = useList(
    (page) =>
      listQuestions({ ...filters, since: startOfDay(since), until: endOfDay(until), ...page }),
    JSON.stringify(filters),
    "questions",
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const picker = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {readonly (readonly [string, string])[]} */ choices,
  ) => html`<${Field}
    label=${label}
    control=${(/** @type {object} */ ids) => html`<select
      ...${ids}
      value=${query[name] ?? ""}
      onChange=${(/** @type {Event} */ event) => choose({ [name]: fieldValue(event) })}
    >
      <option value="">all</option>
      ${choices.map(([value, words]) => html`<option value=${value} selected=${value === query[name]}>${words}</option>`)}
    </select>`}
  />`;
  const date = (/** @type {string} */ name, /** @type {string} */ label) => html`<${Field}
    label=${label}
    control=${(/** @type {object} */ ids) => html`<input
      ...${ids}
      type="date"
      value=${query[name] ?? ""}
      onChange=${(/** @type {Event} */ event) => choose({ [name]: fieldValue(event) })}
    />`}
  />`;
  const pairs = (/** @type {readonly string[]} */ values) =>
    values.map((value) => /** @type {const} */ ([value, value]));

  return html`<div class="home">
    <div class="page-head">
      <h1 tabindex="-1">Questions</h1>
      ${list !== null && html`<p class="soft" role="status">${count(list.total, "question")}${isFiltered ? " found" : ""}</p>`}
    </div>
    <div class="filters" role="group" aria-label="Filters">
      <${SearchBox}
        words=${query.q ?? ""}
        label="Search the questions"
        placeholder="Words of the question"
        search=${(/** @type {string} */ q) => choose({ q })}
      />
      ${picker("state", "State", Object.entries(STATE_NAMES))} ${picker("verdict", "Review", VERDICTS)}
      ${picker("strategy", "Strategy", pairs(service.strategies.map(({ name }) => name)))}
      ${service.models.allowed !== null && picker("model", "Model", pairs(service.models.allowed))}
      ${date("since", "From")} ${date("until", "To")}
      ${
        isFiltered &&
        html`<button
          type="button"
          class="quiet"
          onClick=${() => choose(Object.fromEntries(FILTERS.map((name) => [name, ""])))}
        >
          Clear filters
        </button>`
      }
    </div>
    <${TableQuestions}
      mayAsk=${may(service, "ask")}
      filters=${{ ...filters, since: startOfDay(since), until: endOfDay(until) }}
      asked=${again}
    />
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${list === null && problem === null && html`<p class="soft" role="status">Loading the questions…</p>`}
    ${
      outdated &&
      html`<p class="note">
        The list has changed. <button type="button" class="quiet" onClick=${again}>Show the new list</button>
      </p>`
    }
    ${
      list?.total === 0 &&
      html`<p class="soft nothing">
        ${isFiltered ? "No question matches these filters." : "No question yet. Open a video and ask."}
      </p>`
    }
    ${
      list !== null &&
      html`<ol class="history panel">
          ${list.items.map(
            (question) => html`<${QuestionRow}
              key=${question.id}
              question=${question}
              videoName=${question.video_name}
            />`,
          )}
        </ol>
        <${MoreButton} list=${list} more=${more} noun="question" />`
    }
  </div>`;
}

/** Days are days of the person who looks. @param {string | undefined} day */
function startOfDay(day) {
  return day === undefined ? undefined : new Date(`${day}T00:00:00`).toISOString();
}

/** @param {string | undefined} day */
function endOfDay(day) {
  return day === undefined ? undefined : new Date(`${day}T23:59:59.999`).toISOString();
}
