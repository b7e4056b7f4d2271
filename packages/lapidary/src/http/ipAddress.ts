/** IP addresses and networks as texts. Without `node:net`, because middleware runs on every platform. */

/** An address as a number. An IPv4 address in IPv6 form (`::ffff:10.0.0.1`) is that IPv4 address. */
export interface IpAddress {
  readonly family: 'ipv4' | 'ipv6'
  readonly value: bigint
}

/** Longer texts are no addresses: 45 characters, and the name of an interface. */
const maxAddressLength = 64
const mappedPrefix = 0xffffn
const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const embeddedPattern = /^(?<groups>.*:)(?<address>[\d.]+)$/
const groupPattern = /^[\da-f]{1,4}$/i
const zonePattern = /%[\w.:-]+$/

const readIpv4 = (text: string): bigint => text.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const splitGroups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/** Returns the hexadecimal groups of an IPv6 address; an IPv4 address at the end stands for the last two. */
function expandEmbedded(text: string): string | undefined {
  const { groups, address } = embeddedPattern.exec(text)?.groups ?? {}
  if (address?.includes('.') !== true) return text
  if (!ipv4Pattern.test(address)) return undefined
  const value = readIpv4(address)
  return `${groups}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`
}

function readIpv6(text: string): bigint | undefined {
  const [head = '', tail, ...more] = expandEmbedded(text)?.split('::') ?? ['', '', '']
  const first = splitGroups(head)
  const last = splitGroups(tail ?? '')
  const omitted = 8 - first.length - last.length
  if (more.length > 0 || (tail === undefined ? omitted !== 0 : omitted < 1)) return undefined
  const groups = [...first, ...Array<string>(omitted).fill('0'), ...last]
  if (!groups.every((group) => groupPattern.test(group))) return undefined
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** Parses an address, with or without the zone of a link-local one (`fe80::1%eth0`); undefined for any other text. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > maxAddressLength) return undefined
  if (ipv4Pattern.test(text)) return { family: 'ipv4', value: readIpv4(text) }
  const value = readIpv6(text.replace(zonePattern, ''))
  if (value === undefined) return undefined
  return value >> 32n === mappedPrefix ? { family: 'ipv4', value: value & 0xffff_ffffn } : { family: 'ipv6', value }
}

/**
 * Parses an address, or a network such as `10.0.0.0/8`.
 *
 * @returns a function that tells whether an address belongs to it; undefined for any other text
 */
export function parseNetwork(text: string): ((address: IpAddress) => boolean) | undefined {
  const [first = '', length, ...more] = text.split('/')
  const network = parseIpAddress(first)
  if (network === undefined || more.length > 0) return undefined
  const { family, value } = network
  const bits = family === 'ipv4' ? 32 : 128
  const prefixLength = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (!(prefixLength <= bits)) return undefined
  const shift = BigInt(bits - prefixLength)
  return (address) => address.family === family && address.value >> shift === value >> shift
}
