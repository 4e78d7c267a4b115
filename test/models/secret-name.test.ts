import { expect, test } from "vitest";
import { isSecretName } from "../../src/models/secret-name.ts";

const SECRET = [
  ...["key", "api_key", "apikey", "x-api-key", "openai_api_key", "subscription-key", "access_key"],
  ...[
    "aws_secret_access_key",
    "aws_access_key_id_secret",
    "private_key",
    "privatekey",
    "gateway_key",
  ],
  ...[
    "token",
    "hf_token",
    "auth_token",
    "authtoken",
    "access_token",
    "aws_session_token",
    "token2",
  ],
  ...[
    "refresh_token",
    "secret",
    "client_secret",
    "secret_token",
    "password",
    "db_password",
    "passphrase",
  ],
  ...["credential", "credentials", "vertex_credentials", "authorization", "proxy_authorization"],
  ...["connection_string", "db_pwd", "authorization_header", "secret_value"],
  ...["bearer", "signature", "sig", "x_amz_signature", "api_keys", "access_tokens"],
];

const OPEN = [
  ...["max_tokens", "min_tokens", "max_completion_tokens", "stop_token_ids", "token_ids"],
  ...["stop_token", "eos_token", "bos_token", "pad_token", "image_token", "tokens", "keys"],
  ...["prompt_cache_key", "cache_key", "public_key", "sort_key", "token_limit", "key_frames"],
  ...["skip_special_tokens", "tokenizer", "monkey", "keyword", "passwordless", "secretary"],
  ...["thought_signature", "min_p", "chat_template_kwargs", "num_ctx", "safety_identifier"],
];

/** A name in the forms in which members and headers are written. */
function forms(name: string): string[] {
  const words = name.split(/[_-]/);
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return [
    ...[words.join("_"), words.join("-"), words.join("_").toUpperCase()],
    ...[words.map(capital).join("-"), words.map(capital).join("")],
    words.map((word, index) => (index === 0 ? word : capital(word))).join(""),
  ];
}

test.each(SECRET)("%s is the name of a secret, however it is written", (name) => {
  expect(forms(name).filter((form) => !isSecretName(form))).toEqual([]);
});

test.each(OPEN)("%s is not the name of a secret, however it is written", (name) => {
  expect(forms(name).filter(isSecretName)).toEqual([]);
});
