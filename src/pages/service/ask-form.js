/** @import { QuestionView, ServiceView, Task } from "./types.d.ts" */
import { ask } from "./api.js";
import { EstimateLine } from "./estimate-line.js";
import { CheckField, Field, fieldValue } from "./field.js";
import { html, useId, useLayoutEffect, useRef, useState } from "./html.js";
import { OptionList } from "./option-list.js";
import { errorMessage } from "./request.js";
import { defaultChoice, SettingsForm, StrategyPicker, settingsOf } from "./settings-form.js";
import { useDraft } from "./use-draft.js";
import { useRequestKeys } from "./use-request-keys.js";
import { withCode } from "./with-code.js";

/** @type {readonly (readonly [Task, string, string])[]} */
const TASKS = [
  ["open", "Open", "Answered in words."],
  ["choice", "Choice", "One of the options below."],
  ["order", "Order", "The clips of the video are shuffled: what is their right order?"],
];

/** An ordering is a question of its own. */
const FOLLOWING = TASKS.filter(([task]) => task !== "order");

const NOTHING_ASKED = { text: "", goal: "", task: /** @type {Task} */ ("open"), options: ["", ""] };

/**
 * Puts a question to a video, by one strategy or by two side by side. What is written survives a reload.
 *
 * @param {{ service: ServiceView, video: string, asked: (questions: QuestionView[]) => void,
 *   focus?: { current: (() => void) | null }, follows?: string }} props
 *   `focus` receives a function that goes to the question; `follows`: the question that this one follows
 */
export function AskForm({ service, video, asked, focus, follows }) {
  const name = `ask:${follows ?? video}`;
  const [draft, change, forget] = useDraft(name, NOTHING_ASKED);
  const keys = useRequestKeys(name);
  const [settings, changeSettings] = useSettings(service);
  const { text, goal, task, options } = draft;
  const { first, second, both } = settings;
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useLayoutEffect(() => {
    if (focus === undefined) return;
    focus.current = () => field.current?.focus();
    return () => {
      focus.current = null;
    };
  }, []);

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    // Ctrl+Enter submits also while the button is disabled.
    if (busy) return;
    const given = options.map((option) => option.trim()).filter((option) => option !== "");
    if (task === "choice" && given.length < 2) return setProblem("Enter at least two options.");
    setProblem("");
    setBusy(true);
    try {
      const question = {
        task,
        text: text.trim(),
        ...(task === "choice" ? { options: given } : {}),
        ...(task === "order" ? { goal: goal.trim() } : {}),
        ...(follows === undefined ? {} : { follows }),
      };
      const made = [];
      for (const [place, chosen] of (both ? [first, second] : [first]).entries()) {
        const body = { ...question, settings: settingsOf(service, task, chosen) };
        // Both may have the same settings, and are still two questions.
        made.push(await ask(video, body, keys.keyOf([place, body])));
      }
      keys.forget();
      forget();
      asked(made);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };
  return html`<form ref=${form} class="panel ask" aria-label=${follows === undefined ? "Ask" : "Ask a follow-up"} onSubmit=${submit} onKeyDown=${key}>
    <${Field}
      label=${follows === undefined ? "Question" : "Follow-up question"}
      control=${(/** @type {object} */ ids) => html`<textarea
        ...${ids}
        ref=${field}
        rows="2"
        name="question"
        maxlength="20000"
        required=${task !== "order"}
        placeholder="What is shown, said, written, counted…?"
        value=${text}
        onInput=${(/** @type {Event} */ event) => change({ text: fieldValue(event) })}
      />`}
    />
    <${TaskPicker} tasks=${follows === undefined ? TASKS : FOLLOWING} task=${task} choose=${(/** @type {Task} */ next) => change({ task: next })} />
    ${
      task === "choice" &&
      html`<${OptionList} options=${options} change=${(/** @type {string[]} */ next) => change({ options: next })} />`
    }
    ${
      task === "order" &&
      html`<${Field}
        label="Goal"
        hint="The procedure that the clips show."
        control=${(/** @type {object} */ ids) => html`<input
          ...${ids}
          name="goal"
          required
          maxlength="20000"
          placeholder="Make lemonade"
          value=${goal}
          onInput=${(/** @type {Event} */ event) => change({ goal: fieldValue(event) })}
        />`}
      />`
    }
    <${ChoiceForm} service=${service} task=${task} chosen=${first} change=${(/** @type {object} */ part) => changeSettings({ first: { ...first, ...part } })} title="More settings" />
    ${
      service.models.strategies.length > 1 &&
      html`<${CheckField}
        label="Ask a second strategy too and compare both answers"
        checked=${both}
        onChange=${(/** @type {boolean} */ next) => changeSettings({ both: next })}
      />`
    }
    ${
      both &&
      html`<fieldset class="second">
        <legend>Second strategy</legend>
        <${ChoiceForm} service=${service} task=${task} chosen=${second} change=${(/** @type {object} */ part) => changeSettings({ second: { ...second, ...part } })} title="More settings of the second strategy" />
      </fieldset>`
    }
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    <div class="actions">
      <button class="primary" disabled=${busy}>Ask</button>
      <span class="soft hint">Ctrl+Enter</span>
      <${EstimateLine} video=${video} task=${task} settings=${settingsOf(service, task, first)} />
    </div>
  </form>`;
}

/**
 * The settings of this tab, for all videos; a strategy that can no longer run is replaced by the default.
 * @param {ServiceView} service
 */
function useSettings(service) {
  const { strategies, strategy } = service.models;
  const other = strategies.find((name) => name !== strategy);
  const [settings, change] = useDraft("settings", {
    first: defaultChoice(service),
    second: defaultChoice(service, other),
    both: false,
  });
  const runs = (/** @type {{ strategy: string }} */ chosen) => strategies.includes(chosen.strategy);
  const shown = {
    first: runs(settings.first) ? settings.first : defaultChoice(service),
    second: runs(settings.second) ? settings.second : defaultChoice(service, other),
    both: settings.both && other !== undefined,
  };
  return /** @type {const} */ ([shown, change]);
}

/** @param {{ tasks: typeof TASKS, task: Task, choose: (task: Task) => void }} props */
function TaskPicker({ tasks, task, choose }) {
  const id = useId();
  return html`<fieldset class="tasks">
    <legend>Kind of question</legend>
    ${tasks.map(
      ([value, label]) => html`<input
          type="radio"
          name=${id}
          id=${`${id}-${value}`}
          value=${value}
          checked=${value === task}
          onChange=${() => choose(value)}
        /><label for=${`${id}-${value}`}>${label}</label>`,
    )}
    <p class="soft hint">${TASKS.find(([value]) => value === task)?.[2]}</p>
  </fieldset>`;
}

/**
 * @param {import("./settings-form.js").FormProps & { title: string }} props
 */
function ChoiceForm({ service, task, chosen, change, title }) {
  return html`<${StrategyPicker} service=${service} chosen=${chosen} change=${change} />
    <details>
      <summary>${title}</summary>
      <${SettingsForm} service=${service} task=${task} chosen=${chosen} change=${change} />
    </details>`;
}
