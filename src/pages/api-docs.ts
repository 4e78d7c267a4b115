import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import { API_GUIDE } from "./api-guide.ts";

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDocument {
  info: { title: string; version: string; description?: string };
  paths?: object;
}

interface Operation {
  method: string;
  path: string;
  tag: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; about: string }[];
  body: string | null;
  responses: { status: string; description: string }[];
}

export const API_DOCS_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The document as one self-contained page, without script; every text is escaped. */
export function apiDocs(document: ApiDocument): string {
  const css = ["./palette.css", "./evidence-page.css"]
    .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
    .join("");
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} ${document.info.version}: HTTP</title>
<style>${raw(css)}</style>
</head>
<body>
<main>
<h1>${document.info.title} over HTTP</h1>
<p>${document.info.description ?? ""} Errors are problem documents (RFC 9457). The whole description for programs is <a href="/openapi.json">openapi.json</a>.</p>
<p>Programs in TypeScript use the typed client <code>video-rrd/client</code>. In the commands, <code>SERVICE</code> is the address of the service and <code>KEY</code> a key.</p>
${API_GUIDE.map(
  ({ title, text, commands }) => html`<h2>${title}</h2>
<p>${text}</p>
<pre tabindex="0" aria-label="Commands: ${title}"><code>${commands}</code></pre>`,
)}
<h2>All operations</h2>
${tags.map(
  (tag) => html`<h3 id="${tag}">${tag}</h3>
${operations.filter((one) => one.tag === tag).map(operation)}`,
)}
</main>
</body>
</html>
`);
}

function operation({ method, path, summary, parameters, body, responses }: Operation) {
  return html`<details><summary><code>${method.toUpperCase()} ${path}</code> <span class="soft">${summary}</span></summary>
${parameters.length === 0 ? "" : html`<ul>${parameters.map((one) => html`<li><code>${one.name}</code> (${one.in}${one.required ? "" : ", optional"}) ${one.about}</li>`)}</ul>`}
${body === null ? "" : html`<p>Body: <code>${body}</code></p>`}
<ul>${responses.map(({ status, description }) => html`<li>${status}: ${description}</li>`)}</ul>
</details>`;
}

function operationsOf({ paths = {} }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const found = member(methods, method);
      if (found === undefined) return [];
      const content = member(member(found, "requestBody"), "content");
      return {
        method,
        path,
        tag: String(list(member(found, "tags"))[0] ?? "other"),
        summary: String(member(found, "summary") ?? ""),
        parameters: list(member(found, "parameters")).map((one) => ({
          name: String(member(one, "name")),
          in: String(member(one, "in")),
          required: member(one, "required") === true,
          about: String(member(one, "description") ?? ""),
        })),
        body: typeof content === "object" && content !== null ? bodyOf(content) : null,
        responses: Object.entries(member(found, "responses") ?? {}).map(([status, response]) => ({
          status,
          description: String(member(response, "description") ?? ""),
        })),
      };
    }),
  );
}

function bodyOf(content: object): string {
  return Object.entries(content)
    .map(([type, { schema }]: [string, { schema?: { $ref?: string } }]) => {
      const name = schema?.$ref?.split("/").at(-1);
      return name === undefined ? type : `${name} (${type})`;
    })
    .join(", ");
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
