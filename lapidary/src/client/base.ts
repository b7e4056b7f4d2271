/** Where a server is. */
import * as complaint from '../describe/complaint.ts'

/** The address that paths are put behind. @throws TypeError for what is no such address. It is not shown: a password does not belong into a log. */
export function parseBaseUrl(base: string | URL): string {
  const address = String(base).replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(address)) throw new TypeError(complaint.invalidClientBase())
  return address
}
