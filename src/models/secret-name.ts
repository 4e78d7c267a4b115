/** Words that make a name that of a secret: `client_secret`, `vertex_credentials`, `secret_value`. */
const SECRETS = new Set([
  ...["secret", "password", "passwd", "pwd", "passphrase", "credential", "authorization"],
  "bearer",
]);

/** Keys of data, not of a door. */
const OPEN_KEYS = new Set([
  ...["cache", "routing", "idempotency", "partition", "sort", "group", "primary", "foreign"],
  ...["public", "session", "image", "video", "audio", "text", "message"],
]);

/** Tokens of a vocabulary, and counts of them. */
const OPEN_TOKENS = new Set([
  ...["max", "min", "stop", "start", "end", "bos", "eos", "pad", "unk", "sep", "cls", "mask"],
  ...["image", "video", "audio", "think", "thinking", "first", "last", "next", "special", "per"],
]);

/** In the plural only these keys and tokens are secrets; `keys` and `tokens` are mostly data. */
const LOCKING = new Set([
  ...["api", "access", "secret", "private", "auth", "refresh", "bearer", "id", "session"],
]);

/** Words that are written as one: `accesskey`, `authtoken`, `xapikey`. */
const JOINED =
  /^(?:x?api|access|secret|private|subscription|auth|bearer|client)(?:key|token|secret)s?$/;

/**
 * Whether a parameter or a member of this name holds a key or a password, which must not be stored. Names are read by
 * their words: `aws_secret_access_key` and `hfToken` are secrets, `max_tokens` and `prompt_cache_key` are not.
 */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const before = words.at(-2) ?? "";
  if (JOINED.test(last)) return true;
  if (last === "signature" || last === "sig") return isSignature(words);
  if (last === "keys" || last === "tokens") return LOCKING.has(before);
  if (last === "key") return !OPEN_KEYS.has(before);
  if (last === "token") return !OPEN_TOKENS.has(before);
  if (last === "string") return before === "connection";
  return words.some((word) => SECRETS.has(word.replace(/s$/, "")));
}

/** Words in lower case, split at signs and at capitals, without a number at the end. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
}

/** The signature of an address (`sig`, `X-Amz-Signature`), not one of a thought or a function. */
function isSignature(words: readonly string[]): boolean {
  return words.length === 1 || words[0] === "x";
}
