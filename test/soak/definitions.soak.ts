import { expect, test } from "vitest";
import {
  builtIn,
  called,
  commandLine,
  copyWithout,
  typeCheck,
} from "../support/without-definition.ts";

/* Removes each definition in turn from a copy of the project. */

test.each((await builtIn()).map((definition) => [called(definition), definition] as const))(
  "without %s the project type-checks and prints its help",
  async (_name, definition) => {
    const folder = await copyWithout([definition]);
    expect(await typeCheck(folder)).toEqual({ code: 0, output: "" });
    expect(await commandLine(folder, "eval", "--help")).toMatchObject({
      code: 0,
      output: expect.stringContaining("Usage: video-rrd eval"),
    });
  },
);
