import { wordingHash } from "../../../prompts/released-text.ts";
import type { PromptPlace, ReleasedPrompt, ReleasedText } from "../protocols/released-prompt.ts";
import { missingFile, readInClone } from "./clone-file.ts";
import { type PythonLiteral, pythonLiterals } from "./python-literals.ts";

type PythonPlace = Extract<PromptPlace, { kind: "python" }>;

/** Reads a released prompt from a clone of its repository, verbatim except for the names of its variables. */
export async function readReleased(clone: string, released: ReleasedPrompt): Promise<ReleasedText> {
  const { place } = released;
  if (place.kind === "composed") return place.read(clone);
  const source = await readInClone(clone, place.path);
  if (source === null) return missingFile(place.path);
  const literal = choose(pythonLiterals(source), released.sha256, place);
  return literal === null
    ? { text: null, why: `${place.path} has no text ${named(place)}` }
    : withHoles(literal.value, released, place.path);
}

/** The text of the known hash, wherever it is; else the text of that name in that function. */
function choose(
  literals: readonly PythonLiteral[],
  sha256: string,
  place: PythonPlace,
): PythonLiteral | null {
  return (
    literals.find(({ value }) => wordingHash(value) === sha256) ??
    literals.find(
      ({ variable, inside }) => variable === place.variable && inside === (place.inside ?? null),
    ) ??
    null
  );
}

function named({ variable, inside }: { variable: string; inside?: string }): string {
  return inside === undefined ? variable : `${variable} in ${inside}()`;
}

function withHoles(value: string, { holes }: ReleasedPrompt, file: string): ReleasedText {
  const unknown = [...value.matchAll(/\{([A-Za-z_]\w*)\}/g)].find(
    ([, name = ""]) => !Object.hasOwn(holes, name),
  );
  if (unknown !== undefined)
    return {
      text: null,
      why: `its text in ${file} has a variable ${unknown[0]} that is not known`,
    };
  const text = value.replace(/\{([A-Za-z_]\w*)\}/g, (_hole, name: string) => `{{${holes[name]}}}`);
  const missing = Object.values(holes).find((hole) => !text.includes(`{{${hole}}}`));
  return missing === undefined
    ? { text, file }
    : { text: null, why: `its text in ${file} does not use the variable ${missing}` };
}
