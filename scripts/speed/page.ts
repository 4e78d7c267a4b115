import type { Figure, Speed } from "./figures.ts";

const BEGIN = "<!-- figures: written by npm run speed -->";
const END = "<!-- end of figures -->";

/** The page with a table for each bench between its two marks. Throws if a mark is missing. */
export function pageWith(page: string, benches: Speed["benches"]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`The page lacks \`${BEGIN}\` and, after it, \`${END}\`.`);
  const tables = Object.entries(benches).map(([name, figures]) => table(name, figures));
  return `${page.slice(0, begin)}${BEGIN}\n\n${tables.join("\n\n")}\n\n${page.slice(end)}`;
}

function table(bench: string, figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, value, unit, bar, ok, day }) =>
      `| ${name} | ${[short(value), unit].join(" ").trim()} | ${bar}${ok ? "" : ", **not met**"} | ${day} |`,
  );
  return [`| \`${bench}\` | measured | limit | day |`, "|---|---|---|---|", ...rows].join("\n");
}

/** Three digits, without an exponent. */
const short = (value: number) => String(Number(value.toPrecision(3)));
