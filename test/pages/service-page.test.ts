import { readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { z } from "zod";
import type * as api from "../../src/app/service/api.ts";
import { linkModules } from "../../src/pages/link-modules.ts";
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

const folderOf = (html: string) => /\/assets\/([0-9a-f]+)\/page\.js/.exec(html)?.[1] ?? "";

test("everything that the document names exists with its own type, plain and compressed, and nothing else is served", () => {
  const html = servicePage();
  const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  const folder = folderOf(html);
  expect(new Set(named)).toEqual(
    new Set(["page.js", "page.css", "icon.svg"].map((name) => `${folder}/${name}`)),
  );
  for (const path of [...named, `${folder}/icons.svg`]) {
    const asset = serviceAsset(path);
    expect(gunzipSync(asset?.gzip ?? "").toString(), path).toBe(asset?.body);
    expect(asset?.type).toMatch(/^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/);
  }
  for (const path of [
    "",
    folder,
    ...["tsconfig.json", "types.d.ts", "app.js", "../app.js"].map((name) => `${folder}/${name}`),
    "page.js",
  ])
    expect(serviceAsset(path)).toBeNull();
});

test("the one script parses, has every module and the libraries, and imports nothing from elsewhere", () => {
  const folder = folderOf(servicePage());
  const body = (name: string) => serviceAsset(`${folder}/${name}`)?.body ?? "";
  const script = body("page.js");
  expect(() => new Function(script.replaceAll("import.meta", "({})"))).not.toThrow();
  const joined = [...script.matchAll(/^\/\/ (\S+)\nconst m\d+ = /gm)].map(([, name]) => name);
  expect(joined).toEqual(expect.arrayContaining(["preact", "preact/hooks", "htm", "app.js"]));
  const files = readdirSync(new URL("../../src/pages/service/", import.meta.url));
  for (const file of files) if (file.endsWith(".js")) expect(joined).toContain(file);
  expect(script).not.toMatch(
    /^\s*(?:import|export)\b(?!\.)|sourceMappingURL|https?:\/\/(?!www\.w3)/m,
  );
  expect(body("icons.svg")).toMatch(
    /^<svg xmlns="[^"]+"><symbol id="[a-z]+" viewBox="0 0 24 24"><(?:path|circle|rect)/,
  );
  expect(body("icons.svg").match(/<symbol/g)?.length).toBe(
    body("icons.svg").match(/<\/symbol>/g)?.length,
  );
});

test("modules are joined in the order in which they are needed, and what cannot be joined is refused", () => {
  const modules = new Map([
    [
      "a.js",
      'import { two as b } from "./b.js";\nimport c from "c";\nimport * as d from "./d.js";\nglobalThis.joined = [b(), c, d.one()];',
    ],
    ["b.js", 'export { one as two } from "./d.js";\nexport class Unused {}'],
    ["c", "const x=7;export default x+1"],
    ["d.js", "function three(){return 3}export{three as one};"],
  ]);
  const shared = globalThis as { joined?: unknown };
  new Function(linkModules(modules, "a.js"))();
  expect(shared.joined).toEqual([3, 8, 3]);
  delete shared.joined;
  for (const [wrong, why] of [
    ['import { a } from "./a.js"', /import each other: a\.js, d\.js, a\.js/],
    ['import { a } from "./e.js"', /No module e\.js \(for d\.js\)/],
    ['import "./b.js";', /Cannot join d\.js: unknown form import "\.\/b\.js"/],
    ["export let a = 1;", /unknown form export let a/],
  ] as const)
    expect(() =>
      linkModules(
        new Map([
          ["a.js", 'import { x } from "./d.js";'],
          ["d.js", wrong],
        ]),
        "a.js",
      ),
    ).toThrow(why);
});

test("nothing inline: no script, style or handler in the document, and a policy that would refuse them", () => {
  const html = servicePage();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  expect(html).not.toMatch(/https?:\/\//);
  expect(SERVICE_POLICY).not.toMatch(/unsafe|\*|data:/);
  expect(SERVICE_POLICY).toContain("require-trusted-types-for 'script'");
});

test("no script of the page makes markup from a string", () => {
  const script = serviceAsset(`${folderOf(servicePage())}/page.js`)?.body ?? "";
  // A part of Preact assigns markup for a property that no script here may use, and the policy refuses it.
  const own = script
    .split(/^(?=\/\/ \S+\nconst m\d+ = )/m)
    .filter((part) => !/^\/\/ \S*(?:preact|htm\n)/.test(part));
  expect(own.length).toBeGreaterThan(40);
  for (const part of own)
    expect(part).not.toMatch(
      /dangerouslySet|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|DOMParser/,
    );
});
