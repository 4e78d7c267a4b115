/**
 * `npm run advisories`: asks the npm registry for known advisories against the packages that the project ships
 * (package-lock.json without what only development needs). Ends with 0 if there are none, 1 if there are some, 2 for
 * wrong usage, and 3 if the registry cannot be reached, so that nothing is known about the packages.
 *
 *     npm run advisories -- --json
 *     npm run advisories -- --registry https://registry.example
 */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { jsonOrUndefined } from "../src/core/json-or-undefined.ts";

const EXIT = { none: 0, found: 1, usage: 2, unchecked: 3 } as const;
const PATIENCE_MS = 30_000;
/** Path at which npm's registry accepts a list of packages: https://docs.npmjs.com/auditing-package-dependencies */
const BULK = "-/npm/v1/security/advisories/bulk";

const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      name: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

const Advisory = z.looseObject({
  title: z.string(),
  severity: z.string(),
  url: z.string(),
  vulnerable_versions: z.string(),
});
const Bulk = z.record(z.string(), z.array(Advisory));

export interface Finding {
  name: string;
  /** Versions that are shipped. At least one of them is in `vulnerable`, a range. */
  versions: string[];
  vulnerable: string;
  severity: string;
  title: string;
  url: string;
}

/** Shipped packages with their versions, by name, from the text of a lock file. */
export function shippedPackages(text: string): Map<string, string[]> {
  const { packages } = Lock.parse(JSON.parse(text));
  const shipped = new Map<string, string[]>();
  for (const [path, { version, name, dev, link }] of Object.entries(packages)) {
    if (path === "" || dev || link || version === undefined) continue;
    const called = name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    shipped.set(called, [...new Set([...(shipped.get(called) ?? []), version])]);
  }
  return shipped;
}

/**
 * Advisories that the registry knows for the packages. Throws an `Error` that says why the registry cannot be reached.
 */
export async function advisoriesFor(
  packages: ReadonlyMap<string, string[]>,
  registry: string,
): Promise<Finding[]> {
  const response = await fetch(new URL(BULK, registry.endsWith("/") ? registry : `${registry}/`), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(packages)),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: Error) => {
    const { cause } = error;
    throw new Error(cause instanceof Error ? cause.message : error.message);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`it answered ${response.status} ${response.statusText}`.trim());
  const read = Bulk.safeParse(jsonOrUndefined(text));
  if (!read.success) throw new Error("its answer is not a list of advisories");
  return Object.entries(read.data).flatMap(([name, advisories]) =>
    advisories.map(({ title, severity, url, vulnerable_versions }) => ({
      name,
      versions: packages.get(name) ?? [],
      vulnerable: vulnerable_versions,
      severity,
      title,
      url,
    })),
  );
}

function readFlags() {
  try {
    return parseArgs({
      options: { json: { type: "boolean", default: false }, registry: { type: "string" } },
    }).values;
  } catch (error) {
    console.error(`${(error as Error).message} Use --json or --registry URL.`);
    process.exit(EXIT.usage);
  }
}

async function main(): Promise<number> {
  const { json, registry: given } = readFlags();
  const registry =
    given ?? execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  if (!URL.canParse(registry)) {
    console.error(`Invalid --registry ${JSON.stringify(registry)}: use a URL.`);
    return EXIT.usage;
  }
  const lock = join(import.meta.dirname, "../package-lock.json");
  const packages = shippedPackages(readFileSync(lock, "utf8"));
  try {
    const findings = await advisoriesFor(packages, registry);
    if (json) console.log(JSON.stringify({ packages: packages.size, findings }, null, 2));
    else print(findings, packages.size);
    return findings.length === 0 ? EXIT.none : EXIT.found;
  } catch (error) {
    const why = (error as Error).message;
    if (json)
      console.log(JSON.stringify({ packages: packages.size, findings: null, why }, null, 2));
    console.error(
      `Could not check ${packages.size} packages for advisories: the registry returned no list (${why}).`,
    );
    return EXIT.unchecked;
  }
}

function print(findings: readonly Finding[], packages: number): void {
  for (const { name, versions, severity, title, vulnerable, url } of findings)
    console.log(`${severity}: ${name} ${versions.join(", ")} (${vulnerable}): ${title}. ${url}`);
  console.log(`${findings.length} advisories for ${packages} packages.`);
}

if (import.meta.main) process.exitCode = await main();
