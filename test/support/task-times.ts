import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Person } from "./person.ts";

/** What tasks of a person took. With SHOTS=FOLDER, the end of each is photographed: wide, narrow, light and dark. */
export class TaskTimes {
  #rows: { task: string; actions: number; machine_s: number; person_s: number }[] = [];

  /** `machine_s`: seconds that the service and the page took; `person_s`: with those of thinking and moving. */
  async time(task: string, person: Person, run: (person: Person) => Promise<void>): Promise<void> {
    const start = performance.now();
    await run(person);
    const machine = (performance.now() - start) / 1000;
    this.#rows.push({
      task,
      actions: person.actions,
      machine_s: Number(machine.toFixed(1)),
      person_s: Math.round(machine + person.seconds),
    });
    if (process.env.SHOTS !== undefined)
      await photograph(person.page, join(process.env.SHOTS, task.replace(/\W+/g, "-")));
  }

  print(): void {
    console.table(this.#rows);
  }
}

async function photograph(page: Page, file: string): Promise<void> {
  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${file}-${width}-${colorScheme}.png`, fullPage: true });
    }
}
