/** @import { EvidenceKind, EvidenceList, EvidenceView } from "./types.d.ts" */
/** @import { Card, CardActions, Words } from "./evidence-card.js" */

import { button, el, fill, freshId, labelled, select } from "./dom.js";
import { evidenceCard, WRITTEN, wordsForm } from "./evidence-card.js";
import { count, KIND_NAMES, KINDS } from "./format.js";
import { errorMessage } from "./request.js";

/** Number of uncited items that are shown at first. */
const AT_ONCE = 40;

/**
 * All evidence of a question, cited items first; can be filtered by kind and words.
 *
 * @param {CardActions & { add: (kind: string, words: Words) => Promise<void>, time: () => number }} actions
 */
export function evidenceView(actions) {
  /** @type {EvidenceList | null} */
  let list = null;
  /** @type {Map<string, { card: Card, said: string }>} */
  const cards = new Map();
  /** @type {EvidenceKind | null} */
  let kind = null;
  let words = "";
  let all = false;

  const title = el("h3", { id: freshId("evidence") }, "Evidence");
  const kinds = el("div", { class: "chips", role: "group", "aria-label": "Kinds of evidence" });
  const search = el("input", {
    type: "search",
    placeholder: "Search the evidence",
    "aria-label": "Search the evidence",
    oninput: () => {
      words = search.value.trim().toLowerCase();
      show();
    },
  });
  const add = button("Add evidence", () => write(), { "data-action": "add" });
  const writing = el("div", {});
  const tools = el("div", { class: "tools" }, kinds, search);
  const lists = el("div", {});
  const node = el(
    "div",
    { role: "group", class: "evidence", "aria-labelledby": title.id },
    el("div", { class: "evidence-head" }, title, add),
    tools,
    writing,
    lists,
  );

  /**
   * @param {EvidenceView} item
   * @param {boolean} rejected
   */
  const cardOf = (item, rejected) => {
    const now = JSON.stringify([item, rejected]);
    const kept = cards.get(item.id);
    if (kept !== undefined && (kept.said === now || kept.card.editing())) return kept.card;
    const card = evidenceCard(item, rejected, actions);
    cards.set(item.id, { card, said: now });
    return card;
  };
  /** @param {EvidenceView} item */
  const wanted = (item) =>
    (kind === null || item.kind === kind) &&
    (words === "" || `${item.name} ${item.text}`.toLowerCase().includes(words));

  const show = () => {
    if (list === null) return;
    const { items, rejected } = list;
    const known = new Set([...items, ...rejected].map(({ id }) => id));
    for (const id of cards.keys()) if (!known.has(id)) cards.delete(id);
    showKinds(items);
    const found = items.filter(wanted);
    const cited = found.filter((item) => item.cited);
    const others = found.filter((item) => !item.cited);
    const out = rejected.filter(wanted);
    const some = all ? others : others.slice(0, AT_ONCE);
    fill(
      lists,
      found.length + out.length === 0
        ? el(
            "p",
            { class: "soft nothing" },
            items.length === 0
              ? "No evidence was found in this video. Add what you see in it."
              : "No evidence matches the filter.",
          )
        : null,
      group(
        "Cited by the answer",
        cited.map((item) => cardOf(item, false)),
      ),
      group(
        cited.length === 0 ? "Recognised" : "Also recognised",
        some.map((item) => cardOf(item, false)),
      ),
      some.length < others.length
        ? button(`Show all ${others.length}`, () => {
            all = true;
            show();
          })
        : null,
      group(
        "Rejected",
        out.map((item) => cardOf(item, true)),
      ),
    );
  };
  /** @param {EvidenceView[]} items */
  const showKinds = (items) => {
    const there = KINDS.filter((one) => items.some((item) => item.kind === one));
    if (kind !== null && !there.includes(kind)) kind = null;
    const chip = (/** @type {EvidenceKind | null} */ one, /** @type {string} */ label) =>
      button(
        label,
        () => {
          kind = one;
          show();
          /** @type {HTMLElement | null} */ (kinds.querySelector("[aria-pressed=true]"))?.focus();
        },
        { class: `chip ${one ?? ""}`, "aria-pressed": String(kind === one) },
      );
    fill(
      kinds,
      there.length < 2
        ? null
        : [
            chip(null, `All ${items.length}`),
            there.map((one) =>
              chip(one, `${KIND_NAMES[one]} ${items.filter((item) => item.kind === one).length}`),
            ),
          ],
    );
    search.hidden = items.length < 8;
    title.textContent =
      items.length === 0 ? "Evidence" : `Evidence (${items.length.toLocaleString("en")})`;
  };
  /**
   * The card of the same item, of the one that corrects it, or of the one that it corrected.
   * @param {Card | undefined} card
   */
  const successor = (card) => {
    if (card === undefined) return undefined;
    const { id, replaces = id } = card.item;
    const same = cards.get(id)?.card ?? cards.get(replaces)?.card;
    const heirs = [...cards.values()].map((one) => one.card);
    return same ?? heirs.find(({ item }) => item.replaces === id || item.replaces === replaces);
  };
  const write = () => {
    const at = actions.time();
    const choice = select(
      WRITTEN.map((one) => [one, KIND_NAMES[one].replace(/s$/, "")]),
      "caption",
      { name: "kind" },
    );
    const problem = el("p", { class: "problem", role: "alert", hidden: true });
    const leave = () => {
      fill(writing);
      add.focus();
    };
    const form = wordsForm(
      { text: "", start_s: at, end_s: at },
      {
        save: async (given) => {
          try {
            await actions.add(choice.value, given);
            leave();
          } catch (error) {
            problem.textContent = errorMessage(error);
            problem.hidden = false;
          }
        },
        leave,
      },
      labelled("Kind", choice),
    );
    fill(writing, el("div", { class: "panel" }, form, problem));
    form.querySelector("textarea")?.focus();
  };
  return {
    node,
    write,
    /** @param {EvidenceList} next */
    set: (next) => {
      const before = [...cards.values()].map(({ card }) => card);
      const active = before.find(({ node: one }) => one.contains(document.activeElement));
      const chosen = before.find(({ node: one }) => one.classList.contains("chosen"));
      list = next;
      show();
      successor(chosen)?.node.classList.add("chosen");
      if (active === undefined || active.node.isConnected) return;
      const heir = successor(active)?.node;
      /** @type {HTMLElement | null | undefined} */ (
        heir?.querySelector("[data-action=edit], [data-action=reject]")
      )?.focus();
    },
    /** Brings the card of an item into view, and clears the filter if it hides the card. @param {string} id */
    reveal: (id) => {
      if (list === null) return null;
      const hidden = () => !cards.get(id)?.card.node.isConnected;
      if (hidden()) {
        [kind, words, all, search.value] = [null, "", true, ""];
        show();
      }
      const card = cards.get(id)?.card;
      if (card === undefined) return null;
      for (const other of cards.values())
        other.card.node.classList.toggle("chosen", other.card === card);
      card.node.scrollIntoView({ block: "nearest" });
      return card;
    },
    /** Cards in the order in which they are shown. */
    cards: () =>
      [...lists.querySelectorAll("li.card")].flatMap((shown) =>
        [...cards.values()].filter(({ card }) => card.node === shown).map(({ card }) => card),
      ),
  };
}

/**
 * @param {string} title
 * @param {Card[]} cards
 */
function group(title, cards) {
  if (cards.length === 0) return null;
  return el(
    "div",
    {},
    el("h4", {}, `${title} `, el("span", { class: "soft" }, count(cards.length, "item"))),
    el(
      "ol",
      { class: "cards", "aria-label": title },
      cards.map(({ node }) => node),
    ),
  );
}
