import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parseOcrLanguages } from "../../../../src/core/settings/ocr-languages.ts";
import { checkLanguages, dataInKey } from "../../../../tools/text/ocr/language-data.ts";
import { closeOcr } from "../../../../tools/text/ocr.ts";
import { readImage } from "../../../../tools/text/read-image.ts";
import { tempFolder } from "../../../support/temp.ts";
import { textImage } from "../../../support/text-image.ts";

afterAll(closeOcr);

const ENGLISH = join(
  createRequire(import.meta.url).resolve("@tesseract.js-data/eng/package.json"),
  "../4.0.0_best_int/eng.traineddata.gz",
);

test("a folder of the operator gives the data of a language, plain as Debian has them, and they are part of the key", async () => {
  const folder = await tempFolder();
  await writeFile(
    join(folder, "own.traineddata"),
    await promisify(gunzip)(await readFile(ENGLISH)),
  );
  const image = await textImage(640, 200, [{ text: "Cells divide", x: 40, y: 60, height: 44 }]);
  const languages = { languages: ["own"], data: folder };
  expect((await readImage(image, languages)).map(({ text }) => text)).toEqual(["Cells divide"]);

  const key = await dataInKey(languages);
  expect(key).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  const other = await tempFolder();
  await mkdir(other, { recursive: true });
  await copyFile(ENGLISH, join(other, "own.traineddata.gz"));
  expect(await dataInKey({ languages: ["own"], data: other })).not.toEqual(key);
  // Data of packages do not change the key.
  expect(await dataInKey({ languages: ["eng"], data: folder })).toEqual([]);
  expect(await dataInKey({ languages: ["eng"] })).toEqual([]);
});

test("a language without data is a sentence that says where to put the file", async () => {
  const data = await tempFolder();
  expect(() => checkLanguages({ languages: ["xyz"] })).toThrow(
    'No tesseract data for the language "xyz": install it with "npm install @tesseract.js-data/xyz", or put xyz.traineddata into a folder and pass --ocr-data FOLDER.',
  );
  expect(() => checkLanguages({ languages: ["xyz"], data })).toThrow(
    `put xyz.traineddata into ${data}.`,
  );
});

test("a folder that does not exist is refused, also for a language of an installed package", async () => {
  const folder = await tempFolder();
  const file = join(folder, "eng.traineddata");
  await writeFile(file, "");
  const image = await textImage(640, 200, [{ text: "Cells divide", x: 40, y: 60, height: 44 }]);
  for (const data of [join(folder, "missing"), file]) {
    const languages = { languages: ["eng"], data };
    const refused = expect.objectContaining({
      kind: "wrong-setting",
      message: `Invalid --ocr-data ${JSON.stringify(data)}: there is no such folder. Name a folder with tesseract data, such as deu.traineddata, or leave it out to use installed packages.`,
    });
    expect(() => checkLanguages(languages)).toThrow(refused);
    await expect(dataInKey(languages)).rejects.toEqual(refused);
    await expect(readImage(image, languages)).rejects.toEqual(refused);
  }
});

test("codes joined by plus signs are languages; paths and packages are not", () => {
  expect(parseOcrLanguages("deu")).toEqual(["deu"]);
  expect(parseOcrLanguages("eng+chi_sim+eng")).toEqual(["eng", "chi_sim"]);
  for (const wrong of [
    "",
    "+",
    "eng+",
    "../eng",
    "eng/../x",
    "@scope/eng",
    "eng fra",
    "e",
    "eng.gz",
  ])
    expect(parseOcrLanguages(wrong), wrong).toBeNull();
  fc.assert(
    fc.property(fc.string(), (given) => {
      for (const code of parseOcrLanguages(given) ?? []) expect(code).toMatch(/^[a-z_]+$/i);
    }),
  );
});

test("the folder of unpacked data is removed when the process ends", async () => {
  const data = await tempFolder();
  await writeFile(join(data, "own.traineddata"), "not read");
  const module = join(import.meta.dirname, "../../../../tools/text/ocr/language-data.ts");
  const script = `
    const { languageFolder } = await import(${JSON.stringify(pathToFileURL(module).href)});
    const folder = await languageFolder({ languages: ["own"], data: ${JSON.stringify(data)} });
    const { readdirSync } = await import("node:fs");
    console.log(JSON.stringify([folder, readdirSync(folder)]));`;
  const args = ["--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [folder, files] = JSON.parse(stdout) as [string, string[]];
  expect(files).toEqual(["own.traineddata.gz"]);
  expect(existsSync(folder)).toBe(false);
});
