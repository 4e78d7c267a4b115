/** Types of the jstat functions in use; jstat ships no types. */
declare module "jstat" {
  interface Distributions {
    studentt: { inv(p: number, df: number): number };
    chisquare: { inv(p: number, df: number): number; cdf(x: number, df: number): number };
    gammaln(x: number): number;
    normal: { inv(p: number, mean: number, sd: number): number };
    binomial: {
      cdf(k: number, n: number, p: number): number;
      pdf(k: number, n: number, p: number): number;
    };
  }
  const jstat: Distributions;
  export default jstat;
}
