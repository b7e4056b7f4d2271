/** `isPublicUrl(url)`: whether a URL names a host of this network, as far as its text tells (server-side request forgery). */

/** Names that public DNS does not have (RFC 6761, RFC 6762, RFC 8375), and the usual one of private zones. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|localdomain|test|invalid)\.?$/i

/** Ranges of IPv4 that are not public (the IANA registry of special-purpose addresses). */
const privateRanges: readonly (readonly [base: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const parseIpv4 = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const isPublicIpv4 = (address: number): boolean =>
  !privateRanges.some(([base, bits]) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(parseIpv4(base) / 2 ** (32 - bits)))

/** The eight groups of an IPv6 address, as a URL writes it: the longest zeros as `::`, and no dots. */
function parseIpv6(text: string): readonly number[] {
  const parseGroups = (part: string): readonly number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [head = [], tail] = text.split('::').map(parseGroups)
  return tail === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** Only 2000::/3 is public, and of it neither addresses for documentation nor those with an IPv4 address within. */
function isPublicIpv6(text: string): boolean {
  const [first = 0, second = 0] = parseIpv6(text)
  const isTunnel = first === 0x2002 || (first === 0x2001 && second < 0x200)
  const isDocumentation = (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000)
  return first >= 0x2000 && first <= 0x3fff && !isTunnel && !isDocumentation
}

/**
 * Whether a URL is of `http:` or `https:`, and its host is neither a private address nor a name that only private networks have. It is what
 * `createWebhookSender` allows by default.
 *
 * It resolves no names: a public name can have a private address. Against that, send through a proxy that rejects private addresses, or
 * from a network that has none.
 *
 * @example
 * ```ts
 * import { isPublicUrl } from 'lapidary/webhooks'
 *
 * console.log(isPublicUrl(new URL('https://shop.example/hooks')), isPublicUrl(new URL('http://169.254.169.254/'))) // true false
 * ```
 */
export function isPublicUrl({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false
  if (hostname.startsWith('[')) return isPublicIpv6(hostname.slice(1, -1))
  // The parser of URLs writes each form of an IPv4 address in this one.
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return isPublicIpv4(parseIpv4(hostname))
  // A name without a dot is one of the own network.
  return hostname.replace(/\.$/, '').includes('.') && !privateNames.test(hostname)
}
