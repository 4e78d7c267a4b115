/** @import { VNode } from "preact" */
/** @import { Part } from "./types.d.ts" */
import htm from "htm";
import { h, options, render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { inOwnDirection } from "./text-direction.js";

/*
 * Components: templates bound to Preact, whose text becomes text nodes. Nothing that comes from a video, a file, a person
 * or a model can become markup.
 */

export { Fragment, render } from "preact";
export {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";

// Every text of every component passes here.
options.vnode = (vnode) => {
  const text = /** @type {{ type: unknown, props: unknown }} */ (vnode);
  if (text.type === null && typeof text.props === "string") text.props = inOwnDirection(text.props);
};

/**
 * A template as one element: `html`<p>${text}</p>``. Of several elements at the top, it returns an array.
 * @type {(strings: TemplateStringsArray, ...values: unknown[]) => VNode<any>}
 */
export const html = /** @type {any} */ (htm).bind(h);

/**
 * Shows a node that is not made by a component, and calls its `close` when it is removed.
 * @param {{ node: HTMLElement, close?: () => void }} props
 */
export function Host({ node, close }) {
  /** @type {{ current: HTMLDivElement | null }} */
  const place = useRef(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(node);
    return close;
  }, [node]);
  return html`<div class="host" ref=${place}></div>`;
}

/**
 * A component as a part of a view that is not one.
 * @param {VNode<any>} vnode
 * @param {HTMLElement} [node] default: an element of its own
 * @returns {Part & { show: (vnode: VNode<any>) => void }} `show` renders again
 */
export function mounted(vnode, node = document.createElement("div")) {
  const show = (/** @type {VNode<any> | null} */ shown) => render(shown, node);
  show(vnode);
  return { node, show, close: () => show(null) };
}
