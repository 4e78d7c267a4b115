/** Names of parameters, members and headers in which servers take a key. */
const SECRET =
  /^(x[-_])?(((api|access|subscription|auth|bearer)[-_]?)?(key|token)|authorization|(client[-_]?)?secret|password|credentials?|signature|sig)$/i;

/** Whether a parameter or a member of this name holds a key or a password, which must not be stored. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}
