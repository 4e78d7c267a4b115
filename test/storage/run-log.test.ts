import { openRunLog } from "../../src/storage/run-log.ts";
import { runLogContract } from "./contracts/run-log.ts";

runLogContract("a folder", openRunLog);
