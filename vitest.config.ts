import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          pool: "forks",
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "soak",
          include: ["test/soak/**/*.soak.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
          pool: "forks",
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/**/*.browser.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 30_000 } },
          pool: "forks",
          maxWorkers: 1,
        },
      },
    ],
  },
});
