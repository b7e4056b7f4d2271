/** The network that failed logins count against. */

import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 address, alone or mapped into IPv6, as it is. The /64 network of an IPv6 address, which one customer has. Any other text as it is. */
export function clientNetwork(remote: string): string {
  if (!isIPv6(remote)) return remote
  const address = ipaddr.IPv6.parse(remote.replace(/%.*/, ''))
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
