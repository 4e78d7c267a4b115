import { openStore } from "../../src/storage/open.ts";
import { memoContract } from "./contracts/memo.ts";

memoContract("SQLite", openStore);
