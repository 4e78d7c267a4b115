import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import "../src/app/registry.ts";

/*
 * Writes the types of the client from the description of the API, with the tools in `tooling/`.
 * `npm run api:client` after a change of a route or of a schema; a test fails until it is run.
 */

const root = resolve(import.meta.dirname, "..");
const tooling = join(root, "tooling");
const types = join(root, "src/client/api-types.ts");
const { clientHash, openApiDocument, withoutExamples } = await import(
  "../src/app/service/openapi.ts"
);

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: tooling, stdio: "inherit", env: toolEnv() });

/** The tools look for updates and report their use, unless they are told not to. */
function toolEnv() {
  return { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
}

if (!existsSync(join(tooling, "node_modules")))
  run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts");
const folder = mkdtempSync(join(tmpdir(), "video-rrd-api-"));
try {
  const served = join(folder, "openapi.json");
  writeFileSync(served, JSON.stringify(openApiDocument()));
  run("node_modules/.bin/redocly", "lint", served, "--format=summary");
  const document = join(folder, "client.json");
  writeFileSync(document, withoutExamples(openApiDocument(false)));
  const out = join(folder, "types.ts");
  run("node_modules/.bin/openapi-typescript", document, "-o", out);
  run("node_modules/.bin/tsc", "--noEmit", "--strict", out);
  const text = readFileSync(out, "utf8").replace(/^\/\*\*[\s\S]*?\*\/\n/, "");
  const head = `/* Generated from the description of the API by \`npm run api:client\`. Do not edit.\n * ${clientHash()}\n */\n\n`;
  writeFileSync(types, head + text);
} finally {
  rmSync(folder, { recursive: true });
}
