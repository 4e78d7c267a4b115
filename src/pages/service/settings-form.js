/** @import { ServiceView, SettingView, Task } from "./types.d.ts" */
import { CheckField, Field, fieldValue } from "./field.js";
import { count } from "./format.js";
import { html } from "./html.js";
import { groupsOf, isEveryday, settingHint, settingName } from "./setting-names.js";

/**
 * What a person chose: `values` are the settings that were changed, by path; a missing one is the default.
 * @typedef {{ strategy: string, model: string, values: Record<string, string | boolean> }} Chosen
 * @typedef {{ service: ServiceView, task: Task, chosen: Chosen, change: (part: Partial<Chosen>) => void }} FormProps
 */

/**
 * Nothing chosen yet.
 * @param {ServiceView} service
 * @param {string} [strategy]
 * @returns {Chosen}
 */
export function defaultChoice({ models }, strategy = models.strategy) {
  return { strategy, model: "", values: {} };
}

/**
 * The settings of a request: only what the strategy reads for this task and differs from the default.
 * @param {ServiceView} service
 * @param {Task} task
 * @param {Chosen} chosen
 * @returns {Record<string, unknown>}
 */
export function settingsOf(service, task, { strategy, model, values }) {
  /** @type {Record<string, unknown>} */
  const given = { strategy };
  if (needsModel(service, strategy) && model.trim() !== "") given.model = model.trim();
  for (const setting of settingsRead(service, strategy, task)) {
    const value = values[setting.path];
    if (value === undefined || value === "") continue;
    const read =
      setting.kind === "number" ? Number(value) : typeof value === "string" ? value.trim() : value;
    if (read !== setting.default) given[setting.path] = read;
  }
  return given;
}

/** @param {ServiceView} service @param {string} strategy */
function needsModel({ strategies }, strategy) {
  return strategies.find(({ name }) => name === strategy)?.needs_model !== false;
}

/** @param {ServiceView} service @param {string} strategy @param {Task} task */
function settingsRead({ settings }, strategy, task) {
  return settings.filter(
    ({ path, strategies, tasks }) =>
      path !== "strategy" &&
      path !== "model" &&
      (strategies === null || strategies.includes(strategy)) &&
      (tasks === null || tasks.includes(task)),
  );
}

/**
 * Strategy and model; only those that can run here are offered.
 * @param {Omit<FormProps, "task">} props
 */
export function StrategyPicker({ service, chosen, change }) {
  const { models, strategies } = service;
  const known = strategies.find(({ name }) => name === chosen.strategy);
  const missing = strategies.filter(({ name }) => !models.strategies.includes(name)).length;
  const hint = [
    known?.summary ?? "",
    missing === 0
      ? ""
      : `${count(missing, "more strategy", "more strategies")} with a language model.`,
  ];
  return html`<div class="pair">
    <${Field}
      label="Strategy"
      hint=${hint.filter((part) => part !== "").join(" ")}
      control=${(/** @type {object} */ ids) => html`<select
        ...${ids}
        value=${chosen.strategy}
        onChange=${(/** @type {Event} */ event) => change({ strategy: fieldValue(event) })}
      >
        ${models.strategies.map((name) => html`<option value=${name} selected=${name === chosen.strategy}>${name}</option>`)}
      </select>`}
    />
    ${
      needsModel(service, chosen.strategy) &&
      html`<${ModelPicker} service=${service} chosen=${chosen} change=${change} />`
    }
  </div>`;
}

/** @param {Omit<FormProps, "task">} props */
function ModelPicker({ service: { models }, chosen, change }) {
  const { model, allowed } = models;
  const input = (/** @type {Event} */ event) => change({ model: fieldValue(event) });
  if (allowed === null)
    return html`<${Field}
      label="Model"
      control=${(/** @type {object} */ ids) => html`<input
        ...${ids}
        value=${chosen.model}
        placeholder=${model ?? "provider:model"}
        maxlength="200"
        spellcheck="false"
        onInput=${input}
      />`}
    />`;
  const all = model === null || allowed.includes(model) ? allowed : [model, ...allowed];
  const shown = chosen.model === "" ? (model ?? "") : chosen.model;
  return html`<${Field}
    label="Model"
    control=${(
      /** @type {object} */ ids,
    ) => html`<select ...${ids} value=${shown} onChange=${input}>
      ${all.map((name) => html`<option value=${name} selected=${name === shown}>${name}</option>`)}
    </select>`}
  />`;
}

/**
 * The settings that the strategy reads: those of every day, and those of experts behind one door.
 * @param {FormProps} props
 */
export function SettingsForm({ service, task, chosen, change }) {
  const read = settingsRead(service, chosen.strategy, task);
  const set = (/** @type {string} */ path, /** @type {string | boolean} */ value) =>
    change({ values: { ...chosen.values, [path]: value } });
  const groups = (/** @type {SettingView[]} */ settings) =>
    groupsOf(settings).map(
      ([title, members]) => html`<fieldset key=${title}>
        <legend>${title}</legend>
        <div class="settings">
          ${members.map(
            (setting) => html`<${SettingField}
              key=${setting.path}
              setting=${setting}
              value=${chosen.values[setting.path]}
              set=${(/** @type {string | boolean} */ value) => set(setting.path, value)}
            />`,
          )}
        </div>
      </fieldset>`,
    );
  const experts = read.filter((setting) => !isEveryday(setting));
  const changed = experts.filter(({ path, default: byDefault }) => {
    const value = chosen.values[path];
    return value !== undefined && value !== "" && value !== byDefault;
  }).length;
  return html`<div class="more-settings">
    ${groups(read.filter(isEveryday))}
    ${
      experts.length > 0 &&
      html`<details class="experts">
        <summary>Expert settings${changed > 0 && `, ${changed} changed`}</summary>
        <div class="more-settings">${groups(experts)}</div>
      </details>`
    }
    ${
      Object.keys(chosen.values).length > 0 &&
      html`<p>
        <button type="button" class="quiet" onClick=${() => change({ values: {} })}>Reset all settings</button>
      </p>`
    }
  </div>`;
}

/**
 * @param {{ setting: SettingView, value: string | boolean | undefined, set: (value: string | boolean) => void }} props
 *   `value` undefined: the default
 */
function SettingField({ setting, value, set }) {
  const { kind, choices, nullable, default: byDefault } = setting;
  const name = settingName(setting);
  const hint = settingHint(setting);
  const input = (/** @type {Event} */ event) => set(fieldValue(event));
  if (kind === "boolean")
    return html`<${CheckField} label=${name} hint=${hint} checked=${value ?? byDefault === true} onChange=${set} />`;
  const standard = typeof byDefault === "string" ? byDefault : "";
  if (choices !== null) {
    const shown = value ?? standard;
    const all = nullable || standard === "" ? ["", ...choices] : choices;
    return html`<${Field}
      label=${name}
      hint=${hint}
      control=${(
        /** @type {object} */ ids,
      ) => html`<select ...${ids} value=${shown} onChange=${input}>
        ${all.map((one) => html`<option value=${one} selected=${one === shown}>${one === "" ? "default" : one}</option>`)}
      </select>`}
    />`;
  }
  return html`<${Field}
    label=${name}
    hint=${hint}
    control=${(/** @type {object} */ ids) => html`<input
      ...${ids}
      type=${kind === "number" ? "number" : "text"}
      step="any"
      min=${kind === "number" ? "0" : undefined}
      placeholder=${byDefault === null || byDefault === undefined ? "default" : String(byDefault)}
      value=${value ?? ""}
      onInput=${input}
    />`}
  />`;
}
