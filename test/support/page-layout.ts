import type { Page } from "playwright-core";

/**
 * What is wrong with the layout of a page: it is wider than its window, or a text is cut off. Boxes that scroll, and texts
 * that end with an ellipsis on purpose, are no fault.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const faults = [];
    const wider = document.documentElement.scrollWidth - innerWidth;
    if (wider > 0) faults.push("wider than the window by " + wider + " pixels");
    const hasText = (node) =>
      [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim() !== "");
    const hidden = (value) => value === "hidden" || value === "clip";
    for (const node of document.body.querySelectorAll("*")) {
      if (node.clientWidth <= 1 || node.clientHeight <= 1 || !hasText(node)) continue;
      const style = getComputedStyle(node);
      if (style.visibility === "hidden" || style.display === "inline") continue;
      const isShortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      const acrossBy = node.scrollWidth - node.clientWidth;
      const downBy = node.scrollHeight - node.clientHeight;
      const isControl = node.matches("button, a, label, th, td, .chip");
      if (acrossBy > 1 && !isShortened && (hidden(style.overflowX) || isControl))
        faults.push("cut by " + acrossBy + " px: " + node.outerHTML.slice(0, 120));
      if (downBy > 3 && !isShortened && hidden(style.overflowY))
        faults.push("cut by " + downBy + " px of height: " + node.outerHTML.slice(0, 120));
    }
    return faults;
  })()`) as Promise<string[]>;
}
