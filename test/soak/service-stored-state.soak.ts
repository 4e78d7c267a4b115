/*
 * Tests the state that an attack can leave in a store, with a real process of the service: damaged rows, derived data that
 * fills a quota, files without rows and rows without files.
 */
import "../storage/damaged-rows.test.ts";
import "../app/service/quota.test.ts";
import "../app/service/start.test.ts";
