/*
 * What an attack leaves in a store: damaged rows, derived data that fills a quota, files and rows without each other. The
 * tests of each fault, with the service's own process.
 */
import "../storage/damaged-rows.test.ts";
import "../app/service/quota.test.ts";
import "../app/service/start.test.ts";
