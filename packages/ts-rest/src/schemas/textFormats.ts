/** The formats of texts that zod 3 and zod 4 both know: how zod 4 writes them, and which JSON Schema it makes of them. */
import type { JsonSchema } from 'lapidary'
import type { Check } from './tree.ts'

const day =
  '(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))'
const minutes = '(?:[01]\\d|2[0-3]):[0-5]\\d'

/** How exactly a time is written. */
export interface TimeOptions {
  /** The digits of a second. @default any number */
  readonly precision?: number
  /** Whether an offset such as `+02:00` is allowed. */
  readonly offset?: boolean
  /** Whether a time without an offset is allowed. */
  readonly local?: boolean
}

function getTimePattern({ precision }: TimeOptions, areSecondsRequired: boolean): string {
  if (precision === -1) return minutes
  if (precision === 0) return `${minutes}:[0-5]\\d`
  if (precision !== undefined) return `${minutes}:[0-5]\\d\\.\\d{${precision}}`
  return areSecondsRequired ? `${minutes}:[0-5]\\d(?:\\.\\d+)?` : `${minutes}(?::[0-5]\\d(?:\\.\\d+)?)?`
}

function getDateTimePattern(options: TimeOptions): string {
  const offsets = ['Z', ...(options.offset ? [`([+-]${minutes})`] : [])]
  const time = `${getTimePattern(options, true)}(?:${offsets.join('|')})`
  return `^${day}T(?:${options.local ? `${time}|${getTimePattern(options, false)}` : time})$`
}

/** Formats with one pattern, by the function of zod 4. */
const formats: Readonly<Record<string, JsonSchema>> = {
  email: {
    format: 'email',
    pattern: "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  },
  url: { format: 'uri' },
  // The `uuid` of zod 3 takes any version.
  guid: { format: 'uuid', pattern: '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$' },
  uuid: {
    format: 'uuid',
    pattern:
      '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
  },
  cuid: { format: 'cuid', pattern: '^[cC][0-9a-z]{6,}$' },
  cuid2: { format: 'cuid2', pattern: '^[0-9a-z]+$' },
  ulid: { format: 'ulid', pattern: '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$' },
  nanoid: { format: 'nanoid', pattern: '^[a-zA-Z0-9_-]{21}$' },
  base64: {
    format: 'base64',
    contentEncoding: 'base64',
    pattern: '^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
  },
  ipv4: {
    format: 'ipv4',
    pattern: '^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$',
  },
  'iso.date': { format: 'date', pattern: `^${day}$` },
  'iso.duration': {
    format: 'duration',
    pattern: '^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$',
  },
}

/** A rule, in the words of zod 4. */
export const createCheck = (method: string, args: readonly unknown[], keywords: JsonSchema): Check => ({ method, args, keywords })

/** How exactly a time is written, of what either version of zod keeps. */
export const readTimeOptions = ({ precision, offset, local }: Readonly<Record<string, unknown>>): TimeOptions => ({
  ...(typeof precision === 'number' && { precision }),
  offset: offset === true,
  local: local === true,
})

/** The check of a format without options; undefined for one that only one of the versions has. */
export function createFormatCheck(method: string): Check | undefined {
  const keywords = Object.hasOwn(formats, method) ? formats[method] : undefined
  return keywords && { method, args: [], keywords }
}

const omitAbsent = (options: Readonly<Record<string, unknown>>): readonly object[] => {
  const kept = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== false)
  return kept.length === 0 ? [] : [Object.fromEntries(kept)]
}

/** The check of a date with a time. */
export function createDateTimeCheck({ precision, offset, local }: TimeOptions): Check {
  const options = { precision, offset: offset === true, local: local === true } as TimeOptions
  return {
    method: 'iso.datetime',
    args: omitAbsent({ precision, offset, local }),
    keywords: { ...(local === true ? {} : { format: 'date-time' }), pattern: getDateTimePattern(options) },
  }
}

/** The check of a time of day. */
export const createTimeCheck = ({ precision }: TimeOptions): Check => ({
  method: 'iso.time',
  args: omitAbsent({ precision }),
  keywords: { pattern: `^${getTimePattern(precision === undefined ? {} : { precision }, false)}$` },
})
