import { writeFile } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { Failure, toFailure } from "../../core/errors.ts";
import type { ReportData } from "../../pages/report-data.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { say } from "./output.ts";

/** Formats of `--format`. */
export const FORMATS = ["html", "markdown", "latex", "json"] as const;
export type ReportFormat = (typeof FORMATS)[number];
const EXTENSIONS: Record<string, ReportFormat> = {
  ".html": "html",
  ".htm": "html",
  ".md": "markdown",
  ".tex": "latex",
  ".json": "json",
};

/** The format of a report by its flags; default html. Throws `Failure` `wrong-usage` for an unknown extension. */
export function formatOf({ format, out }: { format?: ReportFormat; out?: string }): ReportFormat {
  if (format !== undefined) return format;
  if (out === undefined) return "html";
  const known = EXTENSIONS[extname(out).toLowerCase()];
  if (known !== undefined) return known;
  throw new Failure(
    "wrong-usage",
    `Invalid --out ${JSON.stringify(out)}: use a name that ends in ${Object.keys(EXTENSIONS).join(", ")}, or pass --format.`,
    { out },
  );
}

/** The text of a report. */
export async function renderReport(data: ReportData, format: ReportFormat): Promise<string> {
  if (format === "html") return (await import("../../pages/report.ts")).reportPage(data);
  const { reportJson, reportLatex, reportMarkdown } = await import("../../pages/report-text.ts");
  if (format === "json") return reportJson(data);
  return format === "latex" ? reportLatex(data) : reportMarkdown(data);
}

/** Writes a report and says where. Throws as `writeReport`. */
export async function saveReport(
  data: ReportData,
  file: string,
  format: ReportFormat,
): Promise<void> {
  await writeReport(file, await renderReport(data, format));
  say(`Report: ${resolve(file)}`);
}

/** Writes a report and creates its folder. Throws `Failure` `disk-full`, `file-unreadable`. */
export async function writeReport(file: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(file));
    await writeFile(file, text);
  } catch (error) {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  }
}
