/** Expressions that would run for ever or fill memory. */
export const RUNAWAYS: readonly string[] = [
  "9^{9^{9^9}}",
  "(10^9)!",
  "\\operatorname{Expand}((x+y+z)^{300})",
  "9^{9^9}",
  "100000!",
  "((10!)!)!",
  "\\sum_{k=1}^{10^{12}} \\frac{1}{k^2}",
  "\\sum_{k=1}^{10^6} k!",
  "\\prod_{k=1}^{10^9} k",
  "\\int_0^1 \\int_0^1 \\int_0^1 \\int_0^1 \\sin(xyzw) \\, dx \\, dy \\, dz \\, dw",
  "\\sum_{i=1}^{9999} \\sum_{j=1}^{9999} \\sum_{k=1}^{9999} \\frac{1}{i + j + k}",
  "\\binom{10^9}{5 \\cdot 10^8}",
  `${"(".repeat(900)}1${")".repeat(900)}`,
  `${"\\sqrt{".repeat(39)}2${"}".repeat(39)}${"^{9}".repeat(1)}!!!!`,
  `${"\\frac{1}{1+".repeat(38)}x${"}".repeat(38)}`,
];
