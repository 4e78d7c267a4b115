import { openStore } from "../../src/storage/open.ts";
import { libraryContract } from "./contracts/library.ts";

libraryContract("SQLite and a folder", openStore);
