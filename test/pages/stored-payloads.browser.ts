import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client } from "../app/service/rig.ts";
import { chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { openPageService, type PageService, putVideo } from "../support/page-service.ts";
import { tempFolder } from "../support/temp.ts";

const RUNS = [
  `<script>window.hit=1</script>`,
  `</script><img src=x onerror="window.hit=1">`,
  `<svg><script href="data:,window.hit=1"/><animate onbegin=window.hit=1></svg>`,
  `<a href="javascript:window.hit=1">x</a><iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `</style><style>body{display:none}</style><meta http-equiv=refresh content="0;url=//example.org">`,
];
/** Right-to-left override: `gpj.4pm` is shown as `mp4.jpg`. */
const OVERRIDE = "\u202e";
const PAYLOAD = `${RUNS.join(" ")} ${OVERRIDE}gpj.4pm`;
const REPORT = `"><img src=x onerror=window.hit=1>${OVERRIDE}gpj.html`;

const hit = (page: Page) => page.evaluate("window.hit ?? null");
const words = (page: Page) => page.evaluate("document.body.innerText").then(String);

describe.skipIf(chromiumPath === null)("stored payloads", () => {
  let service: PageService;
  let question: string;
  let place: string;

  beforeAll(async () => {
    const reports = await tempFolder();
    await writeFile(join(reports, REPORT), "<!doctype html><title>Report</title><p>A report</p>");
    service = await openPageService(() => PAYLOAD, { reports });
    const api = client(service.url);
    const clip = await makeClip(await tempFolder(), "clip.mp4", { frames: 50 });
    const video = await putVideo(service.url, `${PAYLOAD.slice(-290)}`, await readFile(clip));
    const asked = await api.ask(video, {
      text: PAYLOAD,
      options: [PAYLOAD, "Another"],
      settings: { strategy: "extractive" },
    });
    question = asked.id;
    place = `${service.url}/#/v/${video}/q/${question}`;
    await api.ended(question);
    for (const kind of ["caption", "text", "equation", "subtitle"])
      await api.json(201, "POST", `/api/v1/questions/${question}/evidence`, {
        kind,
        start_s: 0,
        end_s: 1,
        text: `${kind} ${PAYLOAD}`,
      });
    await api.json(200, "PUT", `/api/v1/questions/${question}/review`, {
      verdict: "corrected",
      answer: "A",
      note: PAYLOAD,
    });
  });
  afterAll(() => service?.close());

  test("the page shows them as text with isolated direction", async () => {
    const { page, violations } = await service.open();
    await page.goto(service.url);
    await page.getByText("gpj.4pm").first().waitFor();
    await page.goto(place);
    for (const kind of ["caption", "text", "equation", "subtitle"]) {
      const card = page.locator(`.card.${kind} .words`).first();
      await card.waitFor();
      expect(await card.textContent()).toContain(RUNS.join(" "));
    }
    await page.getByText(/^Wrong. The right answer: /).waitFor();
    expect(await words(page)).toContain(RUNS[1]);
    // A name that reverses the text after it could show a false file extension or answer.
    expect(await words(page)).not.toContain(OVERRIDE);
    await page.goto(`${service.url}/#/reports`);
    const link = page.getByRole("link", { name: /onerror/ });
    expect(await link.textContent()).toBe(REPORT.replace(OVERRIDE, ""));
    const [report] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
    await report.getByText("A report").waitFor();
    expect(
      await page.locator("main script, main svg:not(.icon), main iframe, main style").count(),
    ).toBe(0);
    expect([await hit(page), await hit(report), violations]).toEqual([null, null, []]);
  });

  test("the exported page and API responses, opened as documents, run no script", async () => {
    const { page, violations } = await service.open();
    const path = `${service.url}/api/v1/questions/${question}`;
    const response = await fetch(`${path}/export?as=html`);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
    await page.setContent(await response.text());
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await words(page)).toContain(RUNS[1]);
    expect(await words(page)).not.toContain(OVERRIDE);
    expect(await page.locator("script, svg, iframe, [onerror]").count()).toBe(0);
    const nowhere = `${service.url}/api/${encodeURIComponent(RUNS[1] ?? "")}`;
    for (const at of [path, `${path}/evidence`, `${service.url}/api/v1/videos`, nowhere]) {
      const opened = await page.goto(at);
      expect(opened?.headers()["content-type"]).toMatch(/json/);
      expect(await page.locator("img, iframe, [onerror], a").count()).toBe(0);
      expect(await hit(page)).toBeNull();
    }
    expect(violations).toEqual([]);
  });

  test("the API page does not depend on stored data and has no script", async () => {
    const { page, violations } = await service.open();
    const opened = await page.goto(`${service.url}/docs`);
    expect(opened?.headers()["content-security-policy"]).toMatch(/^default-src 'none'/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
    const text = await words(page);
    for (const run of RUNS) expect(text).not.toContain(run);
    expect(await page.locator("script, img, svg, iframe, form, a[href^=javascript]").count()).toBe(
      0,
    );
    expect(await hit(page)).toBeNull();
    expect(violations).toEqual([]);
  });
});
