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

type TextTest = RegExp | ((text: string) => boolean)

interface Format {
  /** A text of the format. */
  readonly example: string
  /** The texts that all libraries accept, and those that some may accept; absent where libraries differ in too much. */
  readonly accepted?: { readonly byAll: TextTest; readonly bySome: TextTest }
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const momentPattern = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?)Z$/

function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return dayPattern.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const formats: Readonly<Record<string, Format>> = {
  date: { example: '2024-02-29', accepted: { byAll: isCalendarDay, bySome: isCalendarDay } },
  'date-time': {
    example: '2024-02-29T12:00:00Z',
    accepted: {
      byAll: (text) => isCalendarDay(momentPattern.exec(text)?.[1] ?? ''),
      bySome: (text) => isCalendarDay(text.slice(0, 10)) && text.length > 10,
    },
  },
  time: { example: '12:00:00', accepted: { byAll: () => false, bySome: /^\d{2}:\d{2}/ } },
  duration: { example: 'P1D' },
  email: {
    example: 'ann@example.org',
    accepted: {
      byAll: /^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/,
      bySome: /^[^\s@].*@.+$/s,
    },
  },
  'idn-email': { example: 'ann@example.org' },
  hostname: { example: 'example.org' },
  'idn-hostname': { example: 'example.org' },
  uri: {
    example: 'https://example.org/',
    accepted: { byAll: /^https?:\/\/(?:[a-z0-9]+\.)+[a-z]{2,}(?:\/[A-Za-z0-9._~/-]*)?$/, bySome: /^[a-z][a-z0-9+.-]*:/i },
  },
  'uri-reference': { example: '/path' },
  iri: { example: 'https://example.org/' },
  'iri-reference': { example: '/path' },
  'json-pointer': { example: '/name' },
  regex: { example: '^text$' },
  uuid: {
    example: '7f3c1e8a-5b2d-4c6e-9f01-23456789abcd',
    accepted: {
      byAll: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
      bySome: /^[{]?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}[}]?$/i,
    },
  },
  ipv4: {
    example: '192.0.2.1',
    accepted: {
      byAll: /^(?!0\d)(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!0\d)(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/,
      bySome: /^(?:\d{1,3}\.){3}\d{1,3}$/,
    },
  },
  ipv6: {
    example: '2001:db8::1',
    accepted: { byAll: /^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i, bySome: /^[0-9a-f:.%]*:[0-9a-z:.%]*$/i },
  },
  cidrv4: { example: '192.0.2.0/24' },
  cidrv6: { example: '2001:db8::/32' },
  base64: { example: 'dGV4dHM=' },
  base64url: { example: 'dGV4dHM' },
  e164: { example: '+15555550100' },
  jwt: { example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl' },
  'credit-card': { example: '4111111111111111' },
  credit_card: { example: '4111111111111111' },
  creditCard: { example: '4111111111111111' },
  iban: { example: 'DE89370400440532013000' },
  'json-string': { example: '{}' },
  'uri-template': { example: '/stones/{id}' },
  'relative-json-pointer': { example: '0/name' },
}

const getFormat = (name: unknown): Format | undefined =>
  typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined

/** A text of a format; undefined for an unknown one. */
export const getFormatExample = (name: unknown): string | undefined => getFormat(name)?.example

/** A text of each format. */
export const listFormatExamples = (): readonly string[] => Object.values(formats).map(({ example }) => example)

const isTextAccepted = (test: TextTest, text: string): boolean => (typeof test === 'function' ? test(text) : test.test(text))

/** Whether a text has a format; undefined for an unknown format, and where libraries differ. */
export function hasFormat(name: string, text: string): boolean | undefined {
  const accepted = getFormat(name)?.accepted
  if (accepted === undefined) return undefined
  return isTextAccepted(accepted.byAll, text) || (isTextAccepted(accepted.bySome, text) ? undefined : false)
}
