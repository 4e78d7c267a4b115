/** @import { KeyRole, ServiceView } from "./types.d.ts" */

/**
 * Whether the key of the person may do what a role allows. `operate` includes the other roles.
 * @param {ServiceView} service
 * @param {KeyRole} role
 */
export function may({ roles }, role) {
  return roles.includes(role) || roles.includes("operate");
}
