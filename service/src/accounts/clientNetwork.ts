/** The network that failed logins count against. */

import { isIPv6 } from 'node:net'

/** The first 64 bits of an IPv6 address. A single customer controls all addresses that share them. */
function ipv6Network(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** An IPv4 address, alone or mapped into IPv6, as it is. The /64 network of an IPv6 address. Any other text as it is. */
export function clientNetwork(remote: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remote)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(remote) && !remote.includes('.') ? `${ipv6Network(remote)}::/64` : remote
}
