import type { StoreEngine } from "../engine.ts";

/** PostgreSQL, for several machines. The client is loaded at the first use. */
export const postgresEngine: StoreEngine = {
  form: "postgres://user@host/database",
  accepts: (address) => address !== null && /^postgres(?:ql)?:\/\//i.test(address),
  async open(root, address, blobs) {
    const { openPostgresStore } = await import("./open-postgres.ts");
    return openPostgresStore(root, address ?? "", undefined, blobs);
  },
};
