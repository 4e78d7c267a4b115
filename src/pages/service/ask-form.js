/** @import { QuestionView, ServiceView, Task } from "./types.d.ts" */
import { ask as putQuestion } from "./api.js";
import { button, el, fill, freshId, labelled } from "./dom.js";
import { errorMessage } from "./request.js";
import { settingsForm } from "./settings-form.js";

/** @type {readonly (readonly [Task, string, string])[]} */
const TASKS = [
  ["open", "Open", "Answered in words."],
  ["choice", "Choice", "One of the options below."],
  ["order", "Order", "The clips of the video are shuffled: what is their right order?"],
];

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Puts a question to a video, by one strategy or by two side by side.
 *
 * @param {ServiceView} service
 * @param {string} video
 * @param {(questions: QuestionView[]) => void} asked
 */
export function askForm(service, video, asked) {
  const text = el("textarea", {
    rows: 2,
    maxlength: "20000",
    placeholder: "What is shown, said, written, counted…?",
    name: "question",
  });
  const goal = el("input", { maxlength: "20000", placeholder: "Make lemonade", name: "goal" });
  const options = optionList();
  const goalRow = labelled("Goal", goal, "The procedure that the clips show.");
  const about = el("p", { class: "soft hint" });
  const first = settingsForm(service);
  const second = settingsForm(
    service,
    service.models.strategies.find((name) => name !== service.models.strategy),
  );
  const both = el("input", {
    type: "checkbox",
    id: freshId("both"),
    onchange: () => (secondRow.hidden = !both.checked),
  });
  const secondRow = el(
    "fieldset",
    { class: "second", hidden: true },
    el("legend", {}, "Second strategy"),
    second.main,
    el("details", {}, el("summary", {}, "More settings of the second strategy"), second.more),
  );
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const submit = el("button", { class: "primary" }, "Ask");
  /** @type {Task} */
  let task = "open";

  const show = () => {
    options.node.hidden = task !== "choice";
    goalRow.hidden = task !== "order";
    text.required = task !== "order";
    goal.required = task === "order";
    about.textContent = TASKS.find(([name]) => name === task)?.[2] ?? "";
  };
  const name = freshId("task");
  const tasks = el(
    "fieldset",
    { class: "tasks" },
    el("legend", {}, "Kind of question"),
    TASKS.map(([value, label]) => {
      const id = freshId("task");
      const choose = () => {
        task = value;
        show();
      };
      return [
        el("input", { type: "radio", name, id, value, checked: value === task, onchange: choose }),
        el("label", { for: id }, label),
      ];
    }),
    about,
  );
  const question = () => ({
    task,
    text: text.value.trim(),
    ...(task === "choice" ? { options: options.read() } : {}),
    ...(task === "order" ? { goal: goal.value.trim() } : {}),
  });
  const ask = async () => {
    problem.hidden = true;
    submit.disabled = true;
    try {
      if (task === "choice" && options.read().length < 2)
        throw new Error("Enter at least two options.");
      const wanted = both.checked ? [first.read(), second.read()] : [first.read()];
      /** @type {QuestionView[]} */
      const made = [];
      for (const settings of wanted)
        made.push(await putQuestion(video, { ...question(), settings }));
      asked(made);
    } catch (error) {
      problem.textContent = errorMessage(error);
      problem.hidden = false;
    } finally {
      submit.disabled = false;
    }
  };
  show();
  const node = el(
    "form",
    {
      class: "panel ask",
      "aria-label": "Ask",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        ask();
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) node.requestSubmit();
      },
    },
    labelled("Question", text),
    tasks,
    options.node,
    goalRow,
    first.main,
    el("details", {}, el("summary", {}, "More settings"), first.more),
    el(
      "p",
      { class: "check" },
      both,
      el("label", { for: both.id }, "Ask a second strategy too and compare both answers"),
    ),
    secondRow,
    problem,
    el("div", { class: "actions" }, submit, el("span", { class: "soft hint" }, "Ctrl+Enter")),
  );
  return { node, focus: () => text.focus() };
}

/** Options lettered from A; several pasted lines become several options. */
function optionList() {
  const rows = el("div", { class: "options-rows" });
  const add = button(
    "Add an option",
    () => {
      more("").focus();
    },
    { class: "quiet" },
  );
  const node = el("fieldset", { class: "options-edit" }, el("legend", {}, "Options"), rows, add);

  const letter = () => {
    const inputs = [...rows.querySelectorAll("input")];
    for (const [place, input] of inputs.entries())
      input.setAttribute("aria-label", `Option ${LETTERS[place]}`);
    for (const [place, mark] of [...rows.querySelectorAll("span")].entries())
      mark.textContent = `(${LETTERS[place]})`;
    for (const remove of rows.querySelectorAll("button")) remove.hidden = inputs.length <= 2;
    add.hidden = inputs.length >= LETTERS.length;
  };
  /** @param {string} value */
  const more = (value) => {
    const input = el("input", {
      value,
      maxlength: "20000",
      onpaste: (/** @type {ClipboardEvent} */ event) => {
        const lines = (event.clipboardData?.getData("text") ?? "")
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter((line) => line !== "");
        if (lines.length < 2) return;
        event.preventDefault();
        input.value = lines[0] ?? "";
        const empty = [...rows.querySelectorAll("input")].filter(
          (other) => other !== input && other.value === "",
        );
        for (const line of lines.slice(1, LETTERS.length)) {
          const next = empty.shift();
          if (next === undefined) more(line);
          else next.value = line;
        }
      },
    });
    const remove = button(
      "Remove",
      () => {
        row.remove();
        letter();
        add.focus();
      },
      { class: "quiet" },
    );
    const row = el(
      "div",
      { class: "option-row" },
      el("span", { class: "soft", "aria-hidden": "true" }),
      input,
      remove,
    );
    rows.append(row);
    letter();
    return input;
  };
  more("");
  more("");
  fill(node, el("legend", {}, "Options"), rows, add);
  return {
    node,
    read: () =>
      [...rows.querySelectorAll("input")]
        .map(({ value }) => value.trim())
        .filter((value) => value !== ""),
  };
}
