import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../core/errors.ts";
import { instantOf } from "./api.ts";
import { notFound } from "./problems.ts";

interface Report {
  name: string;
  size: number;
  modified_at: string;
}

/** HTML reports in the operator's folder, newest first. */
export async function listReports(folder: string | null): Promise<Report[]> {
  if (folder === null) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".html"));
  const reports = await Promise.all(
    pages.map(async ({ name }) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { name, size, modified_at: instantOf(mtimeMs) };
    }),
  );
  return reports.sort((a, b) => b.modified_at.localeCompare(a.modified_at));
}

/** Reads a report by its name in the list, so that a request cannot name another path. Throws a 404 problem. */
export async function readReport(
  folder: string | null,
  name: string,
): Promise<{ html: string; policy: string }> {
  const found = (await listReports(folder)).find((report) => report.name === name);
  if (folder === null || found === undefined) throw notFound("a report");
  const html = await readFile(join(folder, found.name), "utf8");
  return { html, policy: policyOf(html) };
}

/** A Content-Security-Policy without network access. It allows the inline scripts of the file by their hashes. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  return [
    "default-src 'none'",
    "img-src data:",
    "style-src 'unsafe-inline'",
    `script-src ${hashes.length === 0 ? "'none'" : hashes.join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
