/*
 * The settings of `scripts/test.ts` for the memory of a worker took effect when it started. The programs that tests start
 * are to have the memory that they have at a user's.
 */
for (const name of Object.keys(process.env))
  if (name.startsWith("MALLOC_")) delete process.env[name];
