import { expect, test } from "vitest";
import { startRig } from "./rig.ts";

test("wrong tokens are throttled by their prefix, and a valid token always passes", async () => {
  const valid = "a-token-long-enough-to-be-one";
  const own = await startRig({ auth: { by: "token", token: valid } });
  const guess = (token: string) =>
    own.send("GET", "/api/v1/videos", undefined, { authorization: `Bearer ${token}` });
  const seen: number[] = [];
  for (let i = 0; i < 14; i++)
    seen.push(
      (i % 2 === 0
        ? await guess(`expired-token-${i}`)
        : await own.send("POST", "/api/v1/session", { token: `expired-token-${i}` })
      ).status,
    );
  expect(seen.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(seen.slice(10)).toEqual([429, 429, 429, 429]);
  const late = await guess("expired-token-of-old");
  expect(late.status).toBe(429);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await guess("another-wrong-token")).status).toBe(401);
  for (let i = 0; i < 100; i++) await guess(`${i}-of-many-guesses`);
  expect((await guess("one-more-guess")).status).toBe(429);
  expect((await guess(valid)).status).toBe(200);
  expect((await own.send("POST", "/api/v1/session", { token: valid })).status).toBe(200);
  await own.stop();
});

test("behind a trusted proxy the client's own address counts, and cookies are for HTTPS only", async () => {
  const token = "a-token-long-enough-to-be-one";
  const auth = { by: "token", token } as const;
  const own = await startRig({ auth, trust_proxy: ["127.0.0.0/8"] });
  const through = (address: string, given: string, more: Record<string, string> = {}) =>
    own.send("GET", "/api/v1/videos", undefined, {
      authorization: `Bearer ${given}`,
      "x-forwarded-for": address,
      ...more,
    });
  for (let i = 0; i < 11; i++) await through("203.0.113.7", "expired-token");
  expect((await through("203.0.113.7", "expired-token")).status).toBe(429);
  expect((await through("203.0.113.7, 127.0.0.1", "expired-token")).status).toBe(429);
  // Values from a client precede the one that the proxy added.
  expect((await through("198.51.100.1, 203.0.113.7", "expired-token")).status).toBe(429);
  expect((await through("203.0.113.8", "expired-token")).status).toBe(401);
  const opened = await own.send(
    "POST",
    "/api/v1/session",
    { token },
    { "x-forwarded-proto": "https" },
  );
  expect(opened.headers.get("set-cookie")).toMatch(/; Secure/);
  const plain = await own.send("POST", "/api/v1/session", { token });
  expect(plain.headers.get("set-cookie")).not.toMatch(/; Secure/);
  const named = { "x-forwarded-host": "videos.example", origin: "https://videos.example" };
  const asked = await own.send(
    "POST",
    "/api/v1/uploads",
    { name: "x", size: 5 },
    { ...named, authorization: `Bearer ${token}` },
  );
  expect(asked.status).toBe(201);
  await own.stop();
  const untrusting = await startRig({ auth });
  for (let i = 0; i < 11; i++)
    await untrusting.send("GET", "/api/v1/videos", undefined, {
      authorization: "Bearer expired-token",
      "x-forwarded-for": `203.0.113.${i}`,
    });
  const refused = await untrusting.send("GET", "/api/v1/videos", undefined, {
    authorization: "Bearer expired-token",
    "x-forwarded-for": "203.0.113.99",
  });
  expect(refused.status).toBe(429);
  await untrusting.stop();
  await expect(startRig({ trust_proxy: ["proxy.local"] })).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("--trust-proxy"),
  });
});

test("an address that other machines can reach requires a token", async () => {
  await expect(startRig({ host: "0.0.0.0" })).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("--token-file"),
  });
});
