import { type DeclaredSettings, flagOf, readDeclared } from "../../src/core/declared-settings.ts";
import { Failure } from "../../src/core/errors.ts";
import { type Benchmark, benchmarks } from "./define-benchmark.ts";

/** The load settings of all benchmarks by name. Two benchmarks with a setting of one name read the same flag. */
export function allLoadSettings(): DeclaredSettings {
  return Object.assign({}, ...benchmarks.all().map(({ loadSettings = {} }) => loadSettings));
}

/** The given load settings. Throws `Failure` `wrong-setting` for one that the benchmark does not read. */
export function readLoadSettings(
  { name, loadSettings = {} }: Pick<Benchmark, "name" | "loadSettings">,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const unread = Object.keys(allLoadSettings()).find(
    (setting) => given[setting] != null && !(setting in loadSettings),
  );
  if (unread === undefined) return readDeclared(loadSettings, given);
  const readers = benchmarks
    .all()
    .filter((one) => unread in (one.loadSettings ?? {}))
    .map((one) => one.name);
  throw new Failure(
    "wrong-setting",
    `The benchmark ${name} does not read ${flagOf(unread)}: leave it out, or use ${readers.join(" or ")}.`,
    { name: unread, benchmark: name },
  );
}
