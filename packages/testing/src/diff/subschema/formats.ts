/** The formats of texts that libraries agree on, at least in part. */

type TextTest = RegExp | ((text: string) => boolean)

/** The texts that all libraries accept, and those that some may accept. */
interface AcceptedTexts {
  readonly byAll: TextTest
  readonly bySome: TextTest
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const momentPattern = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?)Z$/

function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return dayPattern.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** A format where libraries differ in too much is absent. */
const acceptedTexts: Readonly<Record<string, AcceptedTexts>> = {
  date: { byAll: isCalendarDay, bySome: isCalendarDay },
  'date-time': {
    byAll: (text) => isCalendarDay(momentPattern.exec(text)?.[1] ?? ''),
    bySome: (text) => isCalendarDay(text.slice(0, 10)) && text.length > 10,
  },
  time: { byAll: () => false, bySome: /^\d{2}:\d{2}/ },
  email: {
    byAll: /^[a-z0-9]+(?:[._-][a-z0-9]+)*@(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$/,
    bySome: /^[^\s@].*@.+$/s,
  },
  uri: { byAll: /^https?:\/\/(?:[a-z0-9]+\.)+[a-z]{2,}(?:\/[A-Za-z0-9._~/-]*)?$/, bySome: /^[a-z][a-z0-9+.-]*:/i },
  uuid: {
    byAll: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    bySome: /^[{]?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}[}]?$/i,
  },
  ipv4: {
    byAll: /^(?!0\d)(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!0\d)(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/,
    bySome: /^(?:\d{1,3}\.){3}\d{1,3}$/,
  },
  ipv6: { byAll: /^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$/i, bySome: /^[0-9a-f:.%]*:[0-9a-z:.%]*$/i },
}

const isTextAccepted = (test: TextTest, text: string): boolean => (typeof test === 'function' ? test(text) : test.test(text))

/** Whether a text has a format; undefined for an unknown format, and where libraries differ. */
export function hasFormat(name: string, text: string): boolean | undefined {
  const accepted = Object.hasOwn(acceptedTexts, name) ? acceptedTexts[name] : undefined
  if (accepted === undefined) return undefined
  return isTextAccepted(accepted.byAll, text) || (isTextAccepted(accepted.bySome, text) ? undefined : false)
}
