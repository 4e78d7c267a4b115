/** @import { ServiceView, SettingView } from "./types.d.ts" */
import { el, fill, freshId, labelled, select } from "./dom.js";

/**
 * Strategy, model and the settings that the strategy reads. Only what differs from the defaults is sent.
 *
 * @param {ServiceView} service
 * @param {string} [strategy]
 */
export function settingsForm({ models, strategies, settings }, strategy = models.strategy) {
  const known = new Map(strategies.map((one) => [one.name, one]));
  const needsModel = () => known.get(choice.value)?.needs_model !== false;
  const names = new Set([...models.strategies, ...known.keys()]);
  const choice = select(
    [...names].map((name) => {
      const usable = models.strategies.includes(name);
      return [name, usable ? name : `${name} (needs a model)`, !usable];
    }),
    strategy,
    { onchange: () => show() },
  );
  const about = el("small", { class: "soft", id: freshId("about") });
  choice.setAttribute("aria-describedby", about.id);
  const model = strategies.some(
    ({ name, needs_model }) => needs_model && models.strategies.includes(name),
  )
    ? modelField(models)
    : null;
  const modelRow = model === null ? null : labelled("Model", model);
  const more = el("div", { class: "more-settings" });
  /** @type {Map<string, { setting: SettingView, node: HTMLElement, read: () => unknown }>} */
  const fields = new Map(
    settings
      .filter(({ path }) => path !== "strategy" && path !== "model")
      .map((setting) => [setting.path, { setting, ...settingField(setting) }]),
  );

  const show = () => {
    about.textContent = known.get(choice.value)?.summary ?? "";
    if (modelRow !== null) modelRow.hidden = !needsModel();
    fill(more, grouped([...fields.values()].filter(reads)));
  };
  /** @param {{ setting: SettingView }} field */
  const reads = ({ setting: { strategies } }) =>
    strategies === null || strategies.includes(choice.value);
  show();
  const strategyRow = labelled("Strategy", choice);
  strategyRow.append(about);
  return {
    main: el("div", { class: "pair" }, strategyRow, modelRow),
    more,
    /** @returns {Record<string, unknown>} */
    read: () => {
      /** @type {Record<string, unknown>} */
      const given = { strategy: choice.value };
      if (model !== null && needsModel() && model.value.trim() !== "")
        given.model = model.value.trim();
      for (const field of fields.values()) {
        if (!reads(field)) continue;
        const value = field.read();
        if (value !== undefined && value !== field.setting.default)
          given[field.setting.path] = value;
      }
      return given;
    },
  };
}

/**
 * Fields in groups, by the first parts of their path.
 * @param {{ setting: SettingView, node: HTMLElement }[]} fields
 */
function grouped(fields) {
  const groups = Map.groupBy(fields, ({ setting: { path } }) =>
    path.split(".").slice(0, -1).join(" "),
  );
  return [...groups].map(([group, members]) =>
    el(
      "fieldset",
      {},
      el(
        "legend",
        { class: group === "" ? "hidden" : "" },
        sentenceCase(group === "" ? "general" : group),
      ),
      el(
        "div",
        { class: "settings" },
        members.map(({ node }) => node),
      ),
    ),
  );
}

/** @param {string} words */
function sentenceCase(words) {
  if (words === "ocr" || words === "fps") return words.toUpperCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {ServiceView["models"]} models */
function modelField({ model, allowed }) {
  if (allowed === null)
    return el("input", {
      value: "",
      placeholder: model ?? "provider:model",
      maxlength: "200",
      spellcheck: "false",
    });
  const all = model === null || allowed.includes(model) ? allowed : [model, ...allowed];
  return select(
    all.map((name) => [name, name]),
    model ?? "",
  );
}

/**
 * @param {SettingView} setting
 * @returns {{ node: HTMLElement, read: () => unknown }} undefined: the default
 */
function settingField({ path, description, kind, choices, nullable, default: byDefault }) {
  const name = sentenceCase(path.slice(path.lastIndexOf(".") + 1).replaceAll("_", " "));
  const about = description.replaceAll("`", "");
  if (kind === "boolean") {
    const box = el("input", { type: "checkbox", id: freshId("setting") });
    box.checked = byDefault === true;
    const hint = el("small", { class: "soft" }, about);
    return {
      node: el("div", { class: "check" }, box, el("label", { for: box.id }, name, hint)),
      read: () => box.checked,
    };
  }
  const standard = byDefault === null || byDefault === undefined ? "by default" : String(byDefault);
  if (choices !== null) {
    const none = /** @type {const} */ (["", "by default"]);
    const list = select(
      [
        ...(nullable || byDefault === undefined ? [none] : []),
        ...choices.map((one) => /** @type {const} */ ([one, one])),
      ],
      typeof byDefault === "string" ? byDefault : "",
    );
    return {
      node: labelled(name, list, about),
      read: () => (list.value === "" ? undefined : list.value),
    };
  }
  const input = el("input", {
    type: kind === "number" ? "number" : "text",
    step: "any",
    min: kind === "number" ? "0" : undefined,
    placeholder: standard,
  });
  return {
    node: labelled(name, input, about),
    read: () =>
      input.value.trim() === ""
        ? undefined
        : kind === "number"
          ? Number(input.value)
          : input.value.trim(),
  };
}
