/* Run by `own-modules.test.ts` in its own process: loads each file and prints its definitions or its error. */
import { isFailure, loadModule } from "../../src/app/index.ts";

const results: Record<string, [kind: string, message: string] | string> = {};
for (const file of process.argv.slice(2))
  try {
    const { names } = await loadModule(file);
    results[file] = Object.values(names).flat().join();
  } catch (error) {
    results[file] = isFailure(error) ? [error.kind, error.message] : String(error);
  }
console.log(JSON.stringify(results));
