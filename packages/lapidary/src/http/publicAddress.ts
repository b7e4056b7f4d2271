/** Which IP addresses are public, and which belong to this machine, its network or a special purpose. */
import { type IpAddress, parseIpAddress, parseNetwork } from './ipAddress.ts'

const parseNetworks = (...texts: readonly string[]): readonly ((address: IpAddress) => boolean)[] =>
  texts.flatMap((text) => parseNetwork(text) ?? [])

/** Of IPv4, all that the IANA registry of special-purpose addresses has, and multicast. */
const specialIpv4 = /* @__PURE__ */ parseNetworks(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
)

/** Of IPv6, what is in use at all. */
const globalIpv6 = /* @__PURE__ */ parseNetworks('2000::/3')
/** Of that, addresses for documentation, and those with an IPv4 address within. */
const specialIpv6 = /* @__PURE__ */ parseNetworks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

/** Whether a text is an IP address that is public. An IPv4 address in IPv6 form (`::ffff:10.0.0.1`) is that IPv4 address. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === undefined) return false
  const isIn = (networks: typeof specialIpv4): boolean => networks.some((contains) => contains(address))
  return address.family === 'ipv4' ? !isIn(specialIpv4) : isIn(globalIpv6) && !isIn(specialIpv6)
}
