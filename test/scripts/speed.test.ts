import { expect, test } from "vitest";
import { renewed } from "../../scripts/speed/figures.ts";
import { pageWith } from "../../scripts/speed/page.ts";

const figure = (name: string, value: number, ok = true) => ({
  ...{ name, value, ok, unit: "ms", bar: "at most 4", day: "2026-01-31" },
});

test("tables replace what is between the marks of the page, and only that", () => {
  const page =
    "# Speed\n\n<!-- figures: written by npm run speed -->\nold\n<!-- end of figures -->\nMore.\n";
  const written = pageWith(page, {
    start: [figure("a command", 12.3456), figure("help", 5, false)],
  });
  expect(written).toContain("| a command | 12.3 ms | at most 4 | 2026-01-31 |");
  expect(written).toContain("| help | 5 ms | at most 4, **not met** | 2026-01-31 |");
  expect(written).not.toContain("old");
  expect(written.startsWith("# Speed\n")).toBe(true);
  expect(written.endsWith("<!-- end of figures -->\nMore.\n")).toBe(true);
  expect(pageWith(written, {})).not.toContain("12.3");
  expect(() => pageWith("# Speed\n", {})).toThrow("lacks");
});

test("a measurement without promptfoo keeps promptfoo's earlier figures, and no others", () => {
  const before = [figure("CPU", 5), figure("gone", 1), figure("promptfoo, CPU", 10)];
  expect(renewed(before, [figure("CPU", 4)])).toEqual([
    figure("CPU", 4),
    figure("promptfoo, CPU", 10),
  ]);
  const measured = [figure("promptfoo, CPU", 9)];
  expect(renewed(before, measured)).toEqual(measured);
});
