/** Whom to count an attempt against: the network address behind a connection, as far as it stands for one party. */

import { isIPv6 } from 'node:net'

/** The first 64 bits of an IPv6 address: a single customer has all the addresses that share them. */
function network(address: string): string {
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

/** An IPv4 address, alone or inside an IPv6 one, whole; an IPv6 address by its network; anything else as it is. */
export function origin(remote: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(remote)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(remote) && !remote.includes('.') ? `${network(remote)}::/64` : remote
}
