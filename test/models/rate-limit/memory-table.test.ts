import { createMemoryTable } from "../../../src/models/rate-limit/memory-table.ts";
import { rateTableContract } from "../../storage/contracts/rate-table.ts";

rateTableContract("memory", async () => {
  const table = createMemoryTable();
  return { one: table, other: table, async close() {} };
});
