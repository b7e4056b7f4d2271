/** Tests the formats of JSON Schema: which texts all libraries accept, and which only some do. */

const clockPattern = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return dayPattern.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The texts that all libraries accept, and those that some may accept. */
interface FormatTest {
  readonly surely: (text: string) => boolean
  readonly maybe: (text: string) => boolean
}

const testPattern =
  (form: RegExp): FormatTest['surely'] =>
  (text) =>
    form.test(text)

const momentPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)Z$/
const octetPattern = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'

const formatTests: Readonly<Record<string, FormatTest>> = {
  date: { surely: isCalendarDay, maybe: isCalendarDay },
  'date-time': {
    surely: (text) => {
      const [, day = '', time = ''] = momentPattern.exec(text) ?? []
      return isCalendarDay(day) && clockPattern.test(time)
    },
    maybe: (text) => isCalendarDay(text.slice(0, 10)) && text.length > 10,
  },
  time: { surely: () => false, maybe: testPattern(/^\d{2}:\d{2}/) },
  email: {
    surely: testPattern(/^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/),
    maybe: testPattern(/^[^\s@].*@.+$/s),
  },
  uri: {
    surely: testPattern(/^https?:\/\/(?:[a-z0-9]+\.)+[a-z]{2,}(?:\/[A-Za-z0-9._~/-]*)?$/),
    maybe: testPattern(/^[a-z][a-z0-9+.-]*:/i),
  },
  uuid: {
    surely: testPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i),
    maybe: testPattern(/^[{]?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}[}]?$/i),
  },
  ipv4: {
    surely: testPattern(new RegExp(`^(?:(?!0\\d)${octetPattern}\\.){3}(?!0\\d)${octetPattern}$`)),
    maybe: testPattern(/^(?:\d{1,3}\.){3}\d{1,3}$/),
  },
  ipv6: { surely: testPattern(/^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i), maybe: testPattern(/^[0-9a-f:.%]*:[0-9a-z:.%]*$/i) },
}

/** Whether a text has a format; undefined for an unknown format, and where libraries differ. */
export function hasFormat(format: string, text: string): boolean | undefined {
  const form = Object.hasOwn(formatTests, format) ? formatTests[format] : undefined
  if (form === undefined) return undefined
  return form.surely(text) || (form.maybe(text) ? undefined : false)
}
