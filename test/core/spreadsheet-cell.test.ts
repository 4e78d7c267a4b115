import { expect, test } from "vitest";
import { spreadsheetCell } from "../../src/core/spreadsheet-cell.ts";

test.each(["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "-A"])(
  "%j is kept from becoming a formula",
  (text) => {
    expect(spreadsheetCell(text)).toBe(`'${text}`);
  },
);

test.each(["-12", "+5", "-1,234.5", "-1.5e-3", "-.5", "-12 %", "", "A", "1-2", "2 = 2"])(
  "%j stays",
  (text) => {
    expect(spreadsheetCell(text)).toBe(text);
  },
);
