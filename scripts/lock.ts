/**
 * `npm run lock`: `npm install`, then completes the lock file.
 * A registry that mirrors only part of npm lacks the binaries for other platforms; npm leaves them out of the lock
 * file, and `npm ci` then refuses it. They are written back by name, version and platform.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const LockedPackage = z.looseObject({
  version: z.string().optional(),
  dev: z.boolean().optional(),
  license: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
export const Lock = z.looseObject({ packages: z.record(z.string(), LockedPackage) });
export type Lock = z.infer<typeof Lock>;

const PLATFORM =
  /[-/](?:(?<wasm>wasm32)-wasi|(?<os>android|darwin|linux|win32|freebsd|openharmony|aix|sunos)-(?<cpu>arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(?<abi>musl|gnu|gnueabihf|musleabihf|msvc))?)$/;

/** Binaries for platforms that packages of the lock file name with an exact version, but that the lock file lacks. */
export function missingPlatforms(lock: Lock): { path: string; entry: Record<string, unknown> }[] {
  return Object.entries(lock.packages).flatMap(([parent, { optionalDependencies, dev, license }]) =>
    Object.entries(optionalDependencies ?? {}).flatMap(([name, version]) => {
      const path = `node_modules/${name}`;
      const platform = PLATFORM.exec(name)?.groups;
      const known = lock.packages[path] ?? lock.packages[`${parent}/${path}`];
      if (platform === undefined || known !== undefined || !/^\d+\.\d+\.\d+$/.test(version))
        return [];
      const { wasm, os, cpu = wasm, abi } = platform;
      const libc = abi === undefined ? undefined : abi.startsWith("musl") ? "musl" : "glibc";
      const entry = {
        version,
        cpu: [cpu],
        ...(dev ? { dev } : {}),
        ...(os === "linux" && libc !== undefined ? { libc: [libc] } : {}),
        license,
        optional: true,
        ...(os === undefined ? {} : { os: [os] }),
      };
      return [{ path, entry }];
    }),
  );
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  execFileSync("npm", ["install"], { cwd: root, stdio: "inherit" });
  const file = join(root, "package-lock.json");
  const lock = Lock.parse(JSON.parse(readFileSync(file, "utf8")));
  const missing = missingPlatforms(lock);
  for (const { path, entry } of missing) lock.packages[path] = entry;
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} binaries for other platforms were added to the lock file.`);
}
