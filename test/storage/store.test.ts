import { openStore } from "../../src/storage/open.ts";
import { storeContract } from "./contracts/store.ts";

storeContract("SQLite and a folder", openStore);
