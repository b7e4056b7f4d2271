/** The formats of texts: those of JSON Schema (Validation §7.3), and some that schema libraries add. */
import * as expectation from '../messages/expectations.ts'

/** What an error says of a format. Apart from the table, so that no client contains the rest of it. */
export const formatNouns: Readonly<Record<string, string>> = {
  date: expectation.calendarDate(),
  'date-time': 'a date and time such as 2024-02-29T12:00:00Z',
  time: 'a time such as 12:00:00',
  email: 'an email address such as ann@example.org',
  uri: 'a URI such as https://example.org/',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}

const formatExamples: Readonly<Record<string, string>> = {
  date: '2024-02-29',
  'date-time': '2024-02-29T12:00:00Z',
  time: '12:00:00',
  duration: 'P1D',
  email: 'ann@example.org',
  'idn-email': 'ann@example.org',
  hostname: 'example.org',
  'idn-hostname': 'example.org',
  uri: 'https://example.org/',
  'uri-reference': '/path',
  iri: 'https://example.org/',
  'iri-reference': '/path',
  'json-pointer': '/name',
  regex: '^text$',
  uuid: '7f3c1e8a-5b2d-4c6e-9f01-23456789abcd',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidrv4: '192.0.2.0/24',
  cidrv6: '2001:db8::/32',
  base64: 'dGV4dHM=',
  base64url: 'dGV4dHM',
  e164: '+15555550100',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl',
  'credit-card': '4111111111111111',
  credit_card: '4111111111111111',
  creditCard: '4111111111111111',
  iban: 'DE89370400440532013000',
  'json-string': '{}',
  'uri-template': '/stones/{id}',
  'relative-json-pointer': '0/name',
}

/** A text of a format; undefined for an unknown one. */
export const getFormatExample = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(formatExamples, name) ? formatExamples[name] : undefined

/** A text of each format. */
export const listFormatExamples = (): readonly string[] => Object.values(formatExamples)
