/**
 * `node scripts/check-inspect-log.ts SCHEMA [LOG.eval...]`: compares exported logs with the schema that Inspect publishes,
 * `src/inspect_ai/_view/inspect-openapi.json` of its repository (MIT), which is not part of this one.
 *
 * Checks every document of the logs, and documents that are drawn from the project's own schema
 * (`evals/export/inspect/log-schema.ts`): whatever the tests accept, the published schema has to accept.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { generateSync, type JsonSchema } from "json-schema-faker";
import { z } from "zod";
import {
  EvalLog,
  EvalSample,
  EvalSampleReductions,
  EvalSampleSummary,
} from "../evals/export/inspect/log-schema.ts";

const READER = fileURLToPath(new URL("../test/support/read_eval_log.py", import.meta.url));
const DRAWN = 100;

const OWN = { EvalLog, EvalSample, EvalSampleSummary, EvalSampleReductions };
type Name = keyof typeof OWN;
const NAMES = Object.keys(OWN) as Name[];

const [schema, ...logs] = process.argv.slice(2);
if (schema === undefined) {
  process.stderr.write("usage: node scripts/check-inspect-log.ts SCHEMA [LOG.eval...]\n");
  process.exit(2);
}

const published = publishedSchemas(schema);
let wrong = 0;
for (const name of NAMES) {
  const drawn = drawDocuments(name);
  for (const document of drawn) check(name, document, `drawn ${name}`);
  process.stdout.write(`${name}: ${drawn.length} drawn documents\n`);
}
for (const log of logs) {
  const documents = readDocuments(log);
  for (const [entry, document] of documents)
    for (const [name, one] of documentsOf(entry, document)) check(name, one, `${log} ${entry}`);
  process.stdout.write(`${log}: ${documents.length} entries\n`);
}
process.stdout.write(wrong === 0 ? "all valid\n" : `${wrong} not valid\n`);
process.exitCode = wrong === 0 ? 0 : 1;

function publishedSchemas(file: string): Record<Name, ValidateFunction> {
  const { components } = JSON.parse(readFileSync(file, "utf8")) as { components: object };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "inspect", components });
  const of = (name: Name) => ajv.compile({ $ref: `inspect#/components/schemas/${name}` });
  return Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<
    Name,
    ValidateFunction
  >;
}

function check(name: Name, document: unknown, where: string): void {
  const validate = published[name];
  if (validate(document)) return;
  wrong++;
  const [first] = validate.errors ?? [];
  process.stderr.write(`${where}: ${first?.instancePath} ${first?.message}\n`);
}

/** Documents that the project's own schema accepts; the generator also makes some that it does not. */
function drawDocuments(name: Name): unknown[] {
  const made = z.toJSONSchema(OWN[name], { target: "draft-7" }) as JsonSchema;
  const seeds = Array.from({ length: DRAWN }, (_, place) => place + 1);
  return seeds
    .map((seed) => generateSync(made, { seed, optionalsProbability: 0.7 }) as unknown)
    .filter((document) => OWN[name].safeParse(document).success);
}

function readDocuments(log: string): [string, unknown][] {
  const out = execFileSync("python3", ["-B", READER, log], {
    maxBuffer: 2 ** 30,
    encoding: "utf8",
  });
  const { documents } = JSON.parse(out) as { documents: Record<string, unknown> };
  return Object.entries(documents);
}

function documentsOf(entry: string, document: unknown): [Name, unknown][] {
  if (entry.startsWith("samples/")) return [["EvalSample", document]];
  if (entry === "header.json") return [["EvalLog", document]];
  const all = Array.isArray(document) ? document : [];
  const name = entry === "reductions.json" ? "EvalSampleReductions" : "EvalSampleSummary";
  return all.map((one) => [name, one]);
}
