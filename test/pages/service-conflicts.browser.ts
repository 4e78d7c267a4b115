import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addKey } from "../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../src/app/service/options.ts";
import { openStore } from "../../src/storage/open.ts";
import { checkPage, chromiumPath } from "../support/browser.ts";
import type { SeenRequest } from "../support/model-server.ts";
import { openPageService, type PageService } from "../support/page-service.ts";
import { makeShuffled, wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const OPTIONS = ["A red field", "A green field", "A blue field"];

function answering(request: SeenRequest): string {
  const words = wordsOf(request);
  if (words.includes("was observed in a video")) return "It is red [E2].\nAnswer: A";
  return `Part ${/Describe part (\d+)/.exec(words)?.[1]} is a field of one colour.`;
}

interface Question {
  id: string;
  state: string;
  conflict: boolean;
  review: { answer: string; by: string; note: string | null } | null;
}

interface Evidence {
  items: { name: string; text: string; by: { name: string } }[];
}

describe.skipIf(chromiumPath === null)("two people with a key each work on one question", () => {
  let service: PageService;
  const keys = { ann: "", rob: "" };
  let video: string;

  async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isFile = body instanceof Uint8Array;
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys.ann}`,
        ...(isFile
          ? { "content-type": "application/octet-stream", "x-file-name": "fields.mp4" }
          : { "content-type": "application/json" }),
      },
      ...(body === undefined
        ? {}
        : { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  }

  beforeAll(async () => {
    const data = await tempFolder();
    const store = await openStore(data);
    keys.ann = await addKey(store.service, "ann", NO_LIMITS, ["ask"]);
    keys.rob = await addKey(store.service, "rob", NO_LIMITS, ["review"]);
    await store.close();
    service = await openPageService(answering, { data, auth: { by: "keys" } });
    const file = join(await tempFolder(), "fields.mp4");
    await makeShuffled(file, 4);
    video = (await request<{ id: string }>("POST", "/videos", await readFile(file))).id;
  });
  afterAll(() => service?.close());

  async function asked(text: string): Promise<string> {
    const question = { text, options: OPTIONS };
    const { id } = await request<Question>("POST", `/videos/${video}/questions`, question);
    await expect.poll(async () => (await stored(id)).state).toBe("answered");
    return id;
  }
  const stored = (id: string) => request<Question>("GET", `/questions/${id}`);
  async function item(id: string, name: string) {
    const { items } = await request<Evidence>("GET", `/questions/${id}/evidence`);
    return items.find((one) => one.name === name);
  }
  async function opened(who: keyof typeof keys, id: string, live = true): Promise<Page> {
    const { page } = await service.open();
    await page.request.post(`${service.url}/api/v1/session`, { data: { token: keys[who] } });
    if (!live) await page.route("**/api/v1/changes", (route) => route.abort());
    await page.goto(`${service.url}/#/v/${video}/q/${id}`);
    await page.locator(".verdict").first().waitFor();
    return page;
  }
  const card = (page: Page, name: string) => page.locator(`li.card[data-name=${name}]`);
  async function write(page: Page, words: string, save: boolean): Promise<void> {
    await page.getByRole("button", { name: "Edit E2" }).click();
    await page.getByRole("textbox", { name: "Words" }).fill(words);
    if (save) await page.keyboard.press("Enter");
  }

  test("a change of the other shows while a draft is open, and both texts can be merged", async () => {
    const id = await asked("Who edits first?");
    const [ann, rob] = [await opened("ann", id), await opened("rob", id)];
    await write(rob, "A red wall.", false);
    await write(ann, "A red field from above.", true);
    const conflict = card(rob, "E2").locator(".conflict");
    await conflict.getByText("ann changed E2 while you edited it.").waitFor();
    await conflict.getByText("A red field from above.").waitFor();
    expect(await rob.getByRole("textbox", { name: "Words" }).inputValue()).toBe("A red wall.");
    expect(await checkPage(rob, "conflict-evidence")).toEqual([]);
    await conflict.getByRole("button", { name: "Merge both texts" }).click();
    await rob.getByRole("button", { name: "Save my version" }).click();
    await conflict.waitFor({ state: "detached" });
    const merged = "A red field from above.\nA red wall.";
    expect(await item(id, "E2")).toMatchObject({ text: merged, by: { name: "rob" } });
    // The other one sees it without a reload.
    await card(ann, "E2").getByText(merged).waitFor();
  });

  test("without live changes, saving an outdated draft is refused, and overwrites after a look at both", async () => {
    const id = await asked("Who saves last?");
    const [ann, rob] = [await opened("ann", id), await opened("rob", id, false)];
    await write(rob, "Rob's words.", false);
    await write(ann, "Ann's words.", true);
    await card(ann, "E2").locator("del").waitFor();
    expect(await card(rob, "E2").locator(".conflict").count()).toBe(0);
    const refused = rob.waitForResponse((response) => response.status() === 412);
    await rob.getByRole("button", { name: "Save", exact: true }).click();
    const { kind, current } = (await (await refused).json()) as { kind: string; current: Evidence };
    expect([kind, current.items.find(({ name }) => name === "E2")?.text]).toEqual([
      "changed",
      "Ann's words.",
    ]);
    await card(rob, "E2").locator(".conflict").getByText("Ann's words.").waitFor();
    expect(await rob.getByRole("textbox", { name: "Words" }).inputValue()).toBe("Rob's words.");
    await rob.getByRole("button", { name: "Save my version" }).click();
    await card(rob, "E2").locator(".conflict").waitFor({ state: "detached" });
    expect(await item(id, "E2")).toMatchObject({ text: "Rob's words.", by: { name: "rob" } });
  });

  test("of two reviews of one answer, the second keeps its form, shows the first, and disagrees or agrees", async () => {
    const id = await asked("Which field is it?");
    const [ann, rob] = [await opened("ann", id), await opened("rob", id)];
    const form = async (page: Page, letter: string, note: string) => {
      const review = page.getByRole("group", { name: "Review" });
      await review.getByRole("button", { name: "Wrong, the answer is …" }).click();
      await review.getByLabel(`(${letter})`).check();
      await review.getByLabel("Note").fill(note);
      return review;
    };
    const robs = await form(rob, "B", "the field is green");
    await rob.reload();
    expect(await robs.getByLabel("Note").inputValue()).toBe("the field is green");
    const anns = await form(ann, "C", "look at the sky");
    await anns.getByRole("button", { name: "Save the right answer" }).click();
    await robs.getByText("ann reviewed this answer while you wrote.").waitFor();
    await robs.getByText("look at the sky").waitFor();
    expect(await robs.getByLabel("(B)").isChecked()).toBe(true);
    expect(await robs.getByLabel("Note").inputValue()).toBe("the field is green");
    expect(await stored(id)).toMatchObject({ review: { answer: "C", by: "ann" } });
    expect(await checkPage(rob, "conflict-review")).toEqual([]);
    await robs.getByRole("button", { name: "Save my answer" }).click();
    await anns.getByText("Reviewers disagree about this answer.").waitFor();
    expect(await stored(id)).toMatchObject({ conflict: true, review: null });
    const { items } = await request<{ items: object[] }>("GET", `/questions/${id}/ratings`);
    expect(items).toMatchObject([
      { rater: "ann", answer: "C", note: "look at the sky" },
      { rater: "rob", answer: "B", note: "the field is green" },
    ]);

    const other = await asked("Which field is it then?");
    const [first, second] = [await opened("ann", other), await opened("rob", other)];
    const late = await form(second, "B", "not sure");
    const early = await form(first, "C", "sure");
    await early.getByRole("button", { name: "Save the right answer" }).click();
    await late.getByRole("button", { name: "Agree with ann" }).click();
    await first.getByText("The right answer, by ann, rob").waitFor();
    expect(await stored(other)).toMatchObject({
      conflict: false,
      review: { answer: "C", by: "ann, rob" },
    });
  });
});
