/** Built-in sweeps by name. */
export const PRESETS: Readonly<Record<string, () => Promise<unknown>>> = {
  rrd: async () => (await import("./rrd.ts")).rrd,
  ladder: async () => (await import("./ladder.ts")).ladder,
};
