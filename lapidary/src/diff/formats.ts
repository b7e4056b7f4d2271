/** The formats that texts may have, as far as a program can tell them. */

const day = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?'

const forms: Readonly<Record<string, RegExp>> = {
  date: new RegExp(`^${day}$`),
  'date-time': new RegExp(`^${day}T${time}(?:Z|[+-]\\d{2}:\\d{2})$`, 'i'),
  time: new RegExp(`^${time}(?:Z|[+-]\\d{2}:\\d{2})?$`, 'i'),
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ipv4: /^(?:\d{1,3}\.){3}\d{1,3}$/,
  ipv6: /^[0-9a-f:.]*:[0-9a-f:.]*$/i,
}

/** Whether a text has a format; undefined where nobody here knows that format. */
export const hasFormat = (format: string, text: string): boolean | undefined =>
  Object.hasOwn(forms, format) ? forms[format]?.test(text) : undefined
