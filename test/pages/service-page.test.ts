import { expect, test } from "vitest";
import type { z } from "zod";
import type * as api from "../../src/app/service/api.ts";
import type * as page from "../../src/pages/service/types.d.ts";
import { SERVICE_POLICY, serviceAsset, servicePage } from "../../src/pages/service-page.ts";

/** Compiles only if responses of the service have everything that the page reads. */
const reads = <_Page, _Service extends _Page>() => true;

test("the page's types match what the service sends", () => {
  const all = [
    reads<page.VideoView, api.VideoView>(),
    reads<page.UploadView, api.UploadView>(),
    reads<page.QuestionView, api.QuestionView>(),
    reads<page.EvidenceView, api.EvidenceView>(),
    reads<page.EvidenceList, api.EvidenceList>(),
    reads<page.ServiceView, api.ServiceView>(),
    reads<page.ReportView, z.infer<typeof api.ReportView>>(),
    reads<page.ProblemView, api.Problem>(),
  ];
  expect(all).not.toContain(false);
});

test("everything that the document and its scripts name exists with its own type, and nothing else is served", () => {
  const html = servicePage();
  const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(4);
  const folder = named[0]?.split("/")[0];
  const scripts = new Set<string>();
  const wanted = named.map((path) => path.split("/")[1] ?? "");
  for (const name of wanted) {
    const asset = serviceAsset(`${folder}/${name}`);
    expect(asset, name).not.toBeNull();
    if (!name.endsWith(".js") || scripts.has(name)) continue;
    scripts.add(name);
    expect(asset?.type).toBe("text/javascript; charset=utf-8");
    for (const [, imported = ""] of asset?.body.matchAll(/from "\.\/([^"]+)"/g) ?? [])
      if (imported.endsWith(".js")) wanted.push(imported);
  }
  expect(scripts.size).toBeGreaterThan(20);
  for (const path of [
    "",
    folder ?? "",
    `${folder}/tsconfig.json`,
    `${folder}/types.d.ts`,
    `${folder}/../app.js`,
    "app.js",
  ])
    expect(serviceAsset(path)).toBeNull();
});

test("the libraries and the icons are served side by side with the scripts, and import nothing from elsewhere", () => {
  const folder = /\/assets\/([0-9a-f]+)\/app\.js/.exec(servicePage())?.[1];
  const body = (name: string) => serviceAsset(`${folder}/${name}`)?.body ?? "";
  for (const name of ["html.js", "preact.js", "preact-hooks.js", "htm.js"]) {
    expect(body(name), name).not.toBe("");
    expect(body(name), name).not.toMatch(/from\s*"(?!\.\/)|sourceMappingURL/);
  }
  expect(body("icons.svg")).toMatch(
    /^<svg xmlns="[^"]+"><symbol id="[a-z]+" viewBox="0 0 24 24"><(?:path|circle|rect)/,
  );
  expect(body("icons.svg").match(/<symbol/g)?.length).toBe(
    body("icons.svg").match(/<\/symbol>/g)?.length,
  );
});

test("nothing inline: no script, style or handler in the document, and a policy that would refuse them", () => {
  const html = servicePage();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  expect(html).not.toMatch(/https?:\/\//);
  expect(SERVICE_POLICY).not.toMatch(/unsafe|\*|data:/);
  expect(SERVICE_POLICY).toContain("require-trusted-types-for 'script'");
});

test("no script of the page makes markup from a string", () => {
  const html = servicePage();
  const folder = /\/assets\/([0-9a-f]+)\/app\.js/.exec(html)?.[1];
  const seen = new Set<string>();
  // A part of Preact assigns markup for a property that no script here may use, and the policy refuses it.
  const libraries = ["preact.js", "preact-hooks.js", "htm.js"];
  const walk = (name: string) => {
    if (seen.has(name) || libraries.includes(name)) return;
    seen.add(name);
    const body = serviceAsset(`${folder}/${name}`)?.body ?? "";
    expect(body, name).not.toMatch(
      /dangerouslySet|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|DOMParser/,
    );
    for (const [, next = ""] of body.matchAll(/from "\.\/([^"]+\.js)"/g)) walk(next);
  };
  walk("app.js");
  expect(seen.size).toBeGreaterThan(20);
});
