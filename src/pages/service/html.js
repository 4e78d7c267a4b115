/** @import { VNode } from "preact" */
import htm from "htm";
import { h, options } from "preact";
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
