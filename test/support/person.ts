import type { Locator, Page } from "playwright-core";

/*
 * A person in front of a page. Counts what the person does, and estimates how long a practised person takes for it with
 * the keystroke-level model (Card, Moran & Newell, Communications of the ACM 23(7), 1980).
 */

/** Seconds of the keystroke-level model. */
const MODEL = { think: 1.35, point: 1.1, press: 0.2, key: 0.28 } as const;
const CLICK = MODEL.think + MODEL.point + MODEL.press;

export class Person {
  /** Clicks, typed texts, single keys, choices, drags, scrolls and commands; each counts as one. */
  actions = 0;
  /** Estimated seconds of thinking and moving. */
  seconds = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  #count(seconds: number): void {
    this.actions += 1;
    this.seconds += seconds;
  }

  /** Waits until something is shown; scrolls if it is outside the window, which is one action. */
  async see(target: Locator): Promise<void> {
    await target.waitFor();
    const isShown = await target.evaluate(
      (node: { getBoundingClientRect(): { top: number; bottom: number } }) => {
        const { top, bottom } = node.getBoundingClientRect();
        return bottom > 0 && top < (globalThis as unknown as { innerHeight: number }).innerHeight;
      },
    );
    if (isShown) return;
    await target.scrollIntoViewIfNeeded();
    this.#count(MODEL.think + MODEL.point);
  }

  async click(target: Locator): Promise<void> {
    await this.see(target);
    await target.click();
    this.#count(CLICK);
  }

  /** Types into a field that already has the focus. */
  async type(words: string): Promise<void> {
    await this.page.keyboard.type(words);
    this.#count(MODEL.think + MODEL.key * words.length);
  }

  /** Clicks on a field, and replaces its text. */
  async fill(field: Locator, words: string): Promise<void> {
    await this.click(field);
    await this.page.keyboard.press("Control+A");
    await this.type(words);
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    this.#count(MODEL.think + MODEL.key);
  }

  /** Chooses from a list by what it shows. */
  async choose(list: Locator, label: string): Promise<void> {
    await this.see(list);
    await list.selectOption({ label });
    this.#count(CLICK + MODEL.point + MODEL.press);
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    await this.see(from);
    await from.dragTo(to);
    this.#count(CLICK + MODEL.point + MODEL.press);
  }

  /** Chooses a file in the window that a button opens. */
  async giveFile(
    field: Locator,
    file: { name: string; mimeType: string; buffer: Buffer },
  ): Promise<void> {
    await field.setInputFiles(file);
    this.#count(2 * CLICK);
  }

  /** Types a command in a terminal, and runs it. */
  async command<T>(line: string, run: () => Promise<T>): Promise<T> {
    this.#count(MODEL.think + MODEL.key * line.length);
    return run();
  }
}
