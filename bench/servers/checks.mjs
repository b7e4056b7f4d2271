/** The checks of the servers written by hand: what a careful person would look at, and nothing else. */
import { createHash } from 'node:crypto'

export const bodyLimit = 1_048_576

/** Throws URIError where the encoding is bad. @param {string} text */
function decoded(text) {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}

/**
 * The one value of a query parameter; undefined where there is none.
 * @param {string} query
 * @param {string} wanted
 * @throws Error with what to say
 */
export function valueIn(query, wanted) {
  if (query === '') return undefined
  let value
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || decoded(pair.slice(0, equals)) !== wanted) continue
    if (value !== undefined) throw new Error(`${wanted}: expected one value`)
    value = decoded(pair.slice(equals + 1))
  }
  return value
}

/** NaN for anything but a whole number that can be kept exactly. @param {string} text */
function integer(text) {
  const value = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : Number.NaN
}

/**
 * The two numbers of `/position/1/2`; undefined where there are not two segments, NaN for what is no integer.
 * @param {string} path
 */
export function positionIn(path) {
  if (!path.startsWith('/position/')) return undefined
  const slash = path.indexOf('/', 10)
  if (slash <= 10 || slash === path.length - 1 || path.indexOf('/', slash + 1) >= 0) return undefined
  return { xCoord: integer(path.slice(10, slash)), yCoord: integer(path.slice(slash + 1)) }
}

/** @param {string | null | undefined} type */
export const isJson = (type) => type === 'application/json' || type?.split(';', 1)[0].trim().toLowerCase() === 'application/json'

/** @param {any} value */
export const isClientInfo = (value) =>
  typeof value === 'object' &&
  value !== null &&
  typeof value.clientName === 'string' &&
  typeof value.clientEmail === 'string' &&
  Number.isSafeInteger(value.clientAge) &&
  Array.isArray(value.clientInterestedIn) &&
  value.clientInterestedIn.every((/** @type {unknown} */ interest) => typeof interest === 'string')

/** A strong tag of these bytes: half of their SHA-256, as Lapidary makes it. @param {string} text */
export const tagOf = (text) => `"${createHash('sha256').update('application/json\n').update(text).digest('hex').slice(0, 32)}"`

/** Whether `If-None-Match` names the tag. @param {string | null | undefined} list @param {string} tag */
export const isNamed = (list, tag) =>
  list === tag || list?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag) === true
