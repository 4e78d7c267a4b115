const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A number as people say it: `one thousand two hundred`, `8 hundred`, `two and a half`, `nineteen eighty-four`. */
export function sayNumber(n: number, random: () => number): string {
  if (n < 0) return `minus ${sayNumber(-n, random)}`;
  const rest = Math.round((n % 1) * 100) / 100;
  if (rest === 0.5 && n > 1) return `${inWords(Math.floor(n))} and a half`;
  if (rest === 0.75 && n < 1) return "three quarters of a";
  if (rest > 0) {
    const digits = String(rest).slice(2);
    return `${inWords(Math.floor(n))} point ${[...digits].map((digit) => SMALL[Number(digit)]).join(" ")}`;
  }
  if (n >= 1100 && n < 2000 && n % 100 > 9 && random() < 0.7)
    return `${inWords(Math.floor(n / 100))} ${inWords(n % 100)}`;
  if (n >= 200 && n < 1000 && n % 100 === 0 && random() < 0.5) return `${n / 100} hundred`;
  if (n >= 1100 && n < 10_000 && n % 100 === 0 && n % 1000 > 0 && random() < 0.3)
    return `${inWords(n / 100)} hundred`;
  if (n >= 1e6 && n % 1e5 === 0 && random() < 0.5) return `${n / 1e6} million`;
  return random() < 0.15 ? String(n) : inWords(n);
}

function inWords(n: number): string {
  if (n < 20) return SMALL[n] ?? "";
  if (n < 100) return `${TENS[Math.floor(n / 10)]}${n % 10 > 0 ? `-${SMALL[n % 10]}` : ""}`;
  for (const [size, name] of [
    [1e9, "billion"],
    [1e6, "million"],
    [1000, "thousand"],
    [100, "hundred"],
  ] as const)
    if (n >= size) {
      const rest = n % size;
      const joint = rest > 0 && rest < 100 ? " and " : " ";
      return `${inWords(Math.floor(n / size))} ${name}${rest > 0 ? joint + inWords(rest) : ""}`;
    }
  return String(n);
}
