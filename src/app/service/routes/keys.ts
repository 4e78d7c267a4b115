import { CreatedKey, KeyName, KeyView, NewKey } from "../api-keys.ts";
import { listOf } from "../list-pages.ts";
import { body, defineRoute, json, params, problems } from "./define-route.ts";

export const listKeys = defineRoute({
  method: "get",
  path: "/api/v1/keys",
  tags: ["service"],
  roles: ["operate"],
  summary: "List the keys of all callers, without their secrets",
  responses: { 200: json(listOf(KeyView), "All keys, oldest first"), ...problems(401, 403, 422) },
});

export const addKey = defineRoute({
  method: "post",
  path: "/api/v1/keys",
  tags: ["service"],
  roles: ["operate"],
  summary: "Create a key; its secret is in the response and cannot be shown again",
  description:
    "For services that were started with `--keys`. An `Idempotency-Key` is ignored: no response with a secret is stored.",
  request: { body: body(NewKey) },
  responses: {
    201: json(CreatedKey, "The key"),
    ...problems(401, 403, 409, 415, 422, 429),
  },
});

export const removeKey = defineRoute({
  method: "delete",
  path: "/api/v1/keys/{name}",
  tags: ["service"],
  roles: ["operate"],
  summary: "Remove a key at once; videos and answers of its owner stay",
  request: { params: params({ name: KeyName }) },
  responses: { 204: { description: "Removed" }, ...problems(401, 403, 404, 409, 422, 429) },
});
