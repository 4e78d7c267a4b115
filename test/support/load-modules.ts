/* Run by `own-modules.test.ts` in a process of its own: loads each file and prints what is refused. */
import { isFailure, loadModule } from "../../src/app/index.ts";

const refused: Record<string, [kind: string, message: string] | string> = {};
for (const file of process.argv.slice(2))
  try {
    const { names } = await loadModule(file);
    refused[file] = Object.values(names).flat().join();
  } catch (error) {
    refused[file] = isFailure(error) ? [error.kind, error.message] : String(error);
  }
console.log(JSON.stringify(refused));
