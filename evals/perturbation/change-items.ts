import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { PerturbationContext } from "./define-perturbation.ts";

/** A copy of an item with other members. It replaces the item and keeps its author, so that a reasoner sees no difference. */
export function changeItem({ id, ...rest }: Evidence, change: Partial<Evidence>): Evidence {
  return makeEvidence({ ...rest, ...change, replaces: rest.replaces ?? id });
}

type Change = (item: Evidence, unit: number, context: PerturbationContext) => Evidence | null;

/** `count` and `apply` of a perturbation whose units are whole items; `change` returns null to drop an item. */
export function wholeItems(
  isUnit: (item: Evidence, context: PerturbationContext) => boolean,
  change: Change,
) {
  return {
    count: (items: readonly Evidence[], context: PerturbationContext) =>
      items.filter((item) => isUnit(item, context)).length,
    apply(
      items: readonly Evidence[],
      isDamaged: (unit: number) => boolean,
      context: PerturbationContext,
    ): Evidence[] {
      let unit = 0;
      return items.flatMap((item) => {
        if (!isUnit(item, context)) return [item];
        const at = unit++;
        if (!isDamaged(at)) return [item];
        const changed = change(item, at, context);
        return changed === null ? [] : [changed];
      });
    },
  };
}

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/** As `wholeItems`, for units within the texts of items: `spansOf` finds them, `replace` returns the damaged words. */
export function partsOfTexts(
  isRead: (item: Evidence) => boolean,
  spansOf: (text: string) => readonly Span[],
  replace: (words: string, random: () => number, context: PerturbationContext) => string,
) {
  return {
    count: (items: readonly Evidence[]) =>
      items.reduce((sum, item) => sum + (isRead(item) ? spansOf(item.text).length : 0), 0),
    apply(
      items: readonly Evidence[],
      isDamaged: (unit: number) => boolean,
      context: PerturbationContext,
    ): Evidence[] {
      let unit = 0;
      return items.map((item) => {
        if (!isRead(item)) return item;
        let text = "";
        let end = 0;
        for (const span of spansOf(item.text)) {
          const words = item.text.slice(span.start, span.end);
          const damaged = isDamaged(unit)
            ? replace(words, context.random("unit", unit), context)
            : words;
          text += item.text.slice(end, span.start) + damaged;
          end = span.end;
          unit++;
        }
        text += item.text.slice(end);
        return text === item.text ? item : changeItem(item, { text });
      });
    },
  };
}

/** A random element of a list. */
export function pick<T>(values: readonly T[], random: () => number): T | undefined {
  return values[Math.floor(random() * values.length)];
}
