import { defineConfig } from "vitest/config";

/** Whole commands, runs, searches and the service, the packed package, films that take long to make: `npm run test:whole`. */
const WHOLE = [
  "test/{definitions,docs,package}.test.ts",
  "test/app/cli/{batch,blobs-flag,cli,eval,examples,extractor,evidence-test,judge,ordering,own-modules,recognise,runs,store-flag,sweep-report}.test.ts",
  "test/app/service/**/*.test.ts",
  "test/{client/client,app/langgraph-dev}.test.ts",
  "test/app/mcp/{stdio,http,own-servers,waiting}.test.ts",
  "test/graphs/{frame-memory,index-video,killed-review,postgres-review}.test.ts",
  "test/graphs/{agent/*,react/*,toolbox/*,rrd/fixed-windows}.test.ts",
  "test/graphs/stages/native-media.test.ts",
  "test/models/rate-limit/processes.test.ts",
  "test/media/{awkward,decode,hostile-files,media-limits}.test.ts",
  "test/tools/{text/read-equations,text/read-image,video/title-cards}.test.ts",
  "test/tools/text/ocr/holds-writing.test.ts",
  "test/evals/{attribution/{attribution,gold-attribution,gold-sources},datasets/demo/demo-sets,datasets/demo/demo-equations,evidence-test/evidence-test,marks,propagation/propagation,run/option-orders,run/own-data,run/run,run/run-replies,workers/{remote-run,shared-limits},score/retrieval-funnel,sweep/presets,sweep/sweep}.test.ts",
  "test/evals/datasets/build-vcrbench/build.test.ts",
];

/**
 * Test files share a worker's modules: loading LangChain again for each file costs a third of the time. Three workers on
 * two cores, since many tests wait for timers, servers and child processes.
 */
const SHARED_WORKERS = {
  pool: "forks" as const,
  isolate: false,
  maxWorkers: 3,
  // Most objects of a test die young: a larger space for them saves a tenth of the CPU time. The threads of a collector
  // would wait for cores that the other workers use.
  execArgv: ["--max-semi-space-size=64", "--single-threaded-gc"],
  setupFiles: [
    "test/support/usual-heap.ts",
    "src/app/registry.ts",
    "test/support/leave-no-stubs.ts",
    "test/support/end-files.ts",
  ],
  globalSetup: ["test/support/films-folder.ts"],
  // Kills, sockets and timers of real processes; at a desk a test that fails once is to be seen.
  retry: process.env.CI ? 1 : 0,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: WHOLE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          ...SHARED_WORKERS,
        },
      },
      {
        test: {
          name: "whole",
          include: WHOLE,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          ...SHARED_WORKERS,
        },
      },
      {
        test: {
          name: "soak",
          setupFiles: ["src/app/registry.ts", "test/support/end-files.ts"],
          globalSetup: ["test/support/films-folder.ts"],
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
          setupFiles: [
            "src/app/registry.ts",
            "test/support/leave-no-stubs.ts",
            "test/support/end-files.ts",
          ],
          globalSetup: ["test/support/films-folder.ts"],
          isolate: false,
          include: ["test/**/*.browser.ts"],
          // A browser's own timers for reconnecting are not ours to steer.
          retry: 1,
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
