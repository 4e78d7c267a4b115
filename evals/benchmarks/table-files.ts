/** Extensions of the data files that `readTable` reads. */
export const TABLE_FILES = [
  ".jsonl",
  ".ndjson",
  ".json",
  ".csv",
  ".tsv",
  ".yaml",
  ".yml",
  ".parquet",
] as const;
