import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { html } from "hono/html";
import { linkModules } from "./link-modules.ts";

/** A file that the page needs, as it is sent; `gzip`: compressed. */
export interface ServiceAsset {
  body: string;
  gzip: Uint8Array<ArrayBuffer>;
  type: string;
}

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** In the order in which one may go before another. */
const STYLES = [
  "palette.css",
  "scale.css",
  "layout.css",
  "controls.css",
  "lists.css",
  "player.css",
  "ask.css",
  "question.css",
  "heat-map.css",
  "evidence.css",
  "team.css",
];

/**
 * The Content-Security-Policy of the page: everything from its own origin, no inline script, no inline style, and no
 * string that becomes markup or code.
 */
export const SERVICE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Files that other pages and programs use as well. */
const SHARED = [
  ["palette.css", "./palette.css"],
  ["heat-map.css", "./heat-map.css"],
  ["answer-words.js", "./answer-words.js"],
  ["clock.js", "../core/clock.js"],
] as const;

/** Packages that the page's scripts import. */
const PACKAGES = ["preact", "preact/hooks", "htm"];

/** What the scripts ask for first, whatever they show. */
const FIRST_REQUEST = "/api/v1/service";

let made: { folder: string; files: Map<string, ServiceAsset> } | undefined;

/** Read once: one script, one style sheet, and the pictures. */
function assets() {
  if (made !== undefined) return made;
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const list = (folder: string) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((name) => typeOf(name) !== undefined)
      .sort();
  const here = list("./service/").map((name) => [name, read(`./service/${name}`)] as const);
  const icons = list("./service/icons/").map((name) =>
    iconSymbol(name.replace(/\.svg$/, ""), read(`./service/icons/${name}`)),
  );
  const sources = new Map([...SHARED.map(([name, path]) => [name, read(path)] as const), ...here]);
  for (const name of PACKAGES) sources.set(name, packageModule(name));
  const all = [
    ["page.js", linkModules(sources, "app.js")] as const,
    ["page.css", STYLES.map((name) => sources.get(name)).join("\n")] as const,
    ...here.filter(([name]) => name.endsWith(".svg")),
    ["icons.svg", `<svg xmlns="http://www.w3.org/2000/svg">${icons.join("")}</svg>`] as const,
  ];
  const hash = createHash("sha256");
  for (const [name, body] of all) hash.update(`${name}\n${body.length}\n${body}`);
  const folder = hash.digest("hex").slice(0, 16);
  const files = all.map(([name, body]) => {
    const asset = { body, gzip: new Uint8Array(gzipSync(body)), type: typeOf(name) as string };
    return [`${folder}/${name}`, asset] as const;
  });
  made = { folder, files: new Map(files) };
  return made;
}

/** The ES module of a package, without the address of its source map, which is not served. */
function packageModule(name: string): string {
  const path = createRequire(import.meta.url)
    .resolve(name)
    .replace(/\.js$/, ".mjs");
  return readFileSync(path, "utf8").replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "\n");
}

/** One picture of the set that `icons.svg` holds. */
function iconSymbol(name: string, svg: string): string {
  return svg
    .trim()
    .replace(/^<svg [^>]*>/, `<symbol id="${name}" viewBox="0 0 24 24">`)
    .replace("</svg>", "</symbol>");
}

function typeOf(name: string): string | undefined {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

/** By its path after `/assets/`, which changes whenever any of them does; null where there is none of that name. */
export function serviceAsset(path: string): ServiceAsset | null {
  return assets().files.get(path) ?? null;
}

/** The one HTML document of the service, the same for everybody; its scripts fetch what there is to see. */
export function servicePage(): string {
  const at = (name: string) => `/assets/${assets().folder}/${name}`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>video-rrd</title>
<link rel="icon" href="${at("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${at("page.css")}">
<script type="module" src="${at("page.js")}"></script>
<link rel="preload" as="fetch" crossorigin href="${FIRST_REQUEST}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="#/"><img src="${at("icon.svg")}" alt="" width="28" height="28">video-rrd</a>
<nav aria-label="Main"><a href="#/">Videos</a><a href="#/reports" id="to-reports" hidden>Reports</a></nav>
<span class="model soft" id="model"></span>
<button type="button" class="quiet" id="help" aria-haspopup="dialog">Keyboard</button>
</header>
<p class="banner" id="connection" role="status"></p>
<p class="hidden" id="live" role="status" aria-live="polite"></p>
<main id="main" tabindex="-1"><p class="soft">Loading…</p>
<noscript><p>This page needs JavaScript. Programs reach the same service by its <a href="/docs">API</a>.</p></noscript></main>
</body>
</html>
`);
}
