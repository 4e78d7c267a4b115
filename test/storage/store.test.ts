import { openStore } from "../../src/storage/open.ts";
import { operationsContract } from "./contracts/operations.ts";
import { spendingContract } from "./contracts/spending.ts";
import { storeContract } from "./contracts/store.ts";

storeContract("SQLite and a folder", openStore);
operationsContract("SQLite and a folder", openStore);
spendingContract("SQLite and a folder", openStore, false);
