import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { openPageService, type PageService } from "../support/page-service.ts";
import { tempFolder } from "../support/temp.ts";

const PART = 4 * 1024 * 1024;

describe.skipIf(chromiumPath === null)("uploads by the page", () => {
  let service: PageService;
  let file: string;
  let size: number;
  beforeAll(async () => {
    service = await openPageService(() => "A", { model: false });
    const folder = await tempFolder();
    file = await makeClip(folder, "a long lecture.mp4", { frames: 50 });
    // A box that players skip makes the file of a short video as large as that of a long one.
    const heavy = Buffer.alloc(3 * PART);
    heavy.writeUInt32BE(heavy.length, 0);
    heavy.write("free", 4);
    await appendFile(file, heavy);
    size = (await readFile(file)).length;
    await writeFile(join(folder, "empty.mp4"), "");
  });
  afterAll(() => service?.close());

  test("after a broken connection at most one part is sent again", async () => {
    const { page } = await service.open();
    const ranges: string[] = [];
    let broken = 0;
    await page.route("**/api/v1/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      ranges.push((await route.request().headerValue("content-range")) ?? "");
      if (ranges.length === 2 && broken++ === 0) return route.abort("connectionreset");
      return route.continue();
    });
    await page.goto(service.url);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator(".uploads .arrived").waitFor();
    expect(broken).toBe(1);
    expect(ranges).toEqual([
      `bytes 0-${PART - 1}/${size}`,
      `bytes ${PART}-${2 * PART - 1}/${size}`,
      `bytes ${PART}-${2 * PART - 1}/${size}`,
      `bytes ${2 * PART}-${3 * PART - 1}/${size}`,
      `bytes ${3 * PART}-${size - 1}/${size}`,
    ]);
    await page.locator(".video").filter({ hasText: "a long lecture.mp4" }).waitFor();
    await page.getByRole("link", { name: "Ask about a long lecture.mp4" }).click();
    // Without a model, only strategies that need none are offered.
    await page.getByText(/\d more strategies with a language model\./).waitFor();
    const strategies = page
      .getByLabel("Strategy", { exact: true })
      .locator("option:not(:disabled)");
    expect(await strategies.allTextContents()).not.toContain("direct");
  });

  test("after a connection is lost while the file is inspected, the page waits for the decision", async () => {
    const { page } = await service.open();
    const ranges: string[] = [];
    let looks = 0;
    await page.route("**/api/v1/uploads/*", async (route) => {
      const request = route.request();
      if (request.method() === "PATCH") {
        ranges.push((await request.headerValue("content-range")) ?? "");
        if (ranges.length < 4) return route.continue();
        await route.fetch();
        return route.abort("connectionreset");
      }
      if (looks++ > 0) return route.continue();
      const id = request.url().split("/").at(-1);
      return route.fulfill({ json: { id, offset: size, size, video: null } });
    });
    await page.goto(service.url);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator(".uploads .arrived").waitFor();
    expect(ranges).toHaveLength(4);
    expect(ranges.at(-1)).toBe(`bytes ${3 * PART}-${size - 1}/${size}`);
    expect(looks).toBe(2);
    expect(await page.evaluate(`localStorage.getItem("video-rrd:uploads")`)).toBe("[]");
  });

  test("a part that exceeds the time limit is sent again", async () => {
    const { page } = await service.open();
    let refused = 0;
    let parts = 0;
    await page.route("**/api/v1/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      if (++parts === 2 && refused++ === 0) return route.fulfill({ status: 408, body: "" });
      return route.continue();
    });
    await page.goto(service.url);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator(".uploads .arrived").waitFor();
    expect([refused, parts]).toEqual([1, 5]);
  });

  test("after a reload the same file resumes, and another file does not", async () => {
    const { page } = await service.open();
    const sent: string[] = [];
    let hold = true;
    await page.route("**/api/v1/uploads/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.continue();
      sent.push((await route.request().headerValue("content-range")) ?? "");
      if (hold && sent.length > 1) return;
      return route.continue();
    });
    await page.goto(service.url);
    await page.locator("input[type=file]").setInputFiles(file);
    await expect.poll(() => sent.length).toBe(2);
    await page.reload();
    await page.getByText(/% arrived. Select the same file again/).waitFor();
    hold = false;
    sent.length = 0;
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator(".uploads .arrived").waitFor();
    expect(sent[0]).toBe(`bytes ${PART}-${2 * PART - 1}/${size}`);
    expect(await page.getByText(/Select the same file again/).count()).toBe(0);
  });

  test("a file dropped on the page is uploaded; an empty file and a cancelled upload leave no data", async () => {
    const { page } = await service.open();
    await page.goto(service.url);
    await page.getByText("Drop videos here").waitFor();
    const bytes = await readFile(file);
    const small = bytes.subarray(0, size - 3 * PART).toString("base64");
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob("${small}"), (c) => c.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "dropped.mp4"));
      data.items.add(new File([], "empty.mp4"));
      for (const name of ["dragenter", "dragover", "drop"])
        document.querySelector(".drop").dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));
    }`);
    await page.locator(".video").filter({ hasText: "dropped.mp4" }).waitFor();
    await page.getByText("Cannot upload this file: it is empty.").waitFor();
    await page.route("**/api/v1/uploads/*", (route) =>
      route.request().method() === "PATCH" ? undefined : route.continue(),
    );
    await page.locator("input[type=file]").setInputFiles(file);
    const rows = page.locator(".uploads li .name");
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([...["a long lecture.mp4", "empty.mp4", "dropped.mp4"]]);
    const gone = page.waitForRequest((request) => request.method() === "DELETE");
    await page.getByRole("button", { name: "Cancel the upload of a long lecture.mp4" }).click();
    await gone;
    expect(
      await page.locator(".uploads li").filter({ hasText: "a long lecture.mp4" }).count(),
    ).toBe(0);
    expect(await page.evaluate(`localStorage.getItem("video-rrd:uploads")`)).toBe("[]");
  });
});
