/** The formats that texts may have, as far as a program can tell them. */

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/
const dayForm = /^\d{4}-\d{2}-\d{2}$/

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return dayForm.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** What all libraries take for one, and what none does; of the rest they differ. */
interface Form {
  readonly surely: (text: string) => boolean
  readonly maybe: (text: string) => boolean
}

const matches =
  (form: RegExp): Form['surely'] =>
  (text) =>
    form.test(text)

const moment = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)Z$/
const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'

const forms: Readonly<Record<string, Form>> = {
  date: { surely: isDay, maybe: isDay },
  'date-time': {
    surely: (text) => {
      const [, day = '', time = ''] = moment.exec(text) ?? []
      return isDay(day) && clock.test(time)
    },
    maybe: (text) => isDay(text.slice(0, 10)) && text.length > 10,
  },
  time: { surely: () => false, maybe: matches(/^\d{2}:\d{2}/) },
  email: { surely: matches(/^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/), maybe: matches(/^[^\s@].*@.+$/s) },
  uri: { surely: matches(/^https?:\/\/(?:[a-z0-9]+\.)+[a-z]{2,}(?:\/[A-Za-z0-9._~/-]*)?$/), maybe: matches(/^[a-z][a-z0-9+.-]*:/i) },
  uuid: {
    surely: matches(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i),
    maybe: matches(/^[{]?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}[}]?$/i),
  },
  ipv4: {
    surely: matches(new RegExp(`^(?:(?!0\\d)${octet}\\.){3}(?!0\\d)${octet}$`)),
    maybe: matches(/^(?:\d{1,3}\.){3}\d{1,3}$/),
  },
  ipv6: { surely: matches(/^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i), maybe: matches(/^[0-9a-f:.%]*:[0-9a-z:.%]*$/i) },
}

/** Whether a text has a format; undefined where nobody here knows that format, or libraries differ in whether the text has it. */
export function hasFormat(format: string, text: string): boolean | undefined {
  const form = Object.hasOwn(forms, format) ? forms[format] : undefined
  if (form === undefined) return undefined
  return form.surely(text) || (form.maybe(text) ? undefined : false)
}
