/**
 * The sentences that say what a change does, each about who calls and who answers: "old" are programs of the old description, "new" those of the new.
 * Used as `import * as reason from './reason.ts'`.
 */
import type { Age, Sides } from './change.ts'
import type { Flaw } from './held.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const people = (age: Age, who: string): string => `${age} ${who}`
const clients = ({ caller }: Sides): string => people(caller, 'clients')
const servers = ({ server }: Sides): string => people(server, 'servers')
const Clients = (sides: Sides): string => capital(clients(sides))
const Servers = (sides: Sides): string => capital(servers(sides))

/** Values that are shown, at most this long. */
const longest = 60
const shown = (value: unknown): string => {
  if (Array.isArray(value) && value.length > 1) return `a list of ${value.length}`
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

// Endpoints
export const noEndpoint = (sides: Sides, route: string): string => `${Clients(sides)} call ${route}, which ${servers(sides)} do not have.`
export const nobodyCalls = (sides: Sides): string => `Nobody who was written against the ${sides.caller} description calls it.`
export const renamed = (old: string, now: string): string =>
  `On the wire nothing is different: "${old}" is only called "${now}" in programs that import the new description.`
export const shadowed = (sides: Sides, path: string, name: string): string =>
  `${Servers(sides)} have an endpoint of its own at ${path} ("${name}"): a request of ${clients(sides)} with such a capture reaches that one.`
export const moved = (sides: Sides, one: string, other: string): string =>
  `${Clients(sides)} call ${one}, and ${servers(sides)} answer at ${other}.`

// What stands under a name in a request
export const neededInRequest = (sides: Sides): string =>
  `${Clients(sides)} do not send it, and ${servers(sides)} refuse a request without it.`
export const neededNow = (sides: Sides): string => `${Clients(sides)} may leave it out, and ${servers(sides)} refuse a request without it.`
export const unread = (sides: Sides): string =>
  `What ${clients(sides)} send there is not read by ${servers(sides)}, who answer as if it had not been sent.`
export const mayBeLeftOut = (sides: Sides): string => `${Clients(sides)} leave it out, as they may.`
export const onlyOne = (sides: Sides): string => `${Clients(sides)} may send several values, and ${servers(sides)} take one.`
export const anyFlag = (sides: Sides): string =>
  `${Clients(sides)} send a value, and for ${servers(sides)} the name alone counts: "false" would be true.`
export const noFlag = (sides: Sides): string => `${Clients(sides)} send the name without a value, which ${servers(sides)} cannot read.`
export const refused = (sides: Sides, value: unknown, asked: string): string =>
  `${Clients(sides)} may send ${shown(value)}, and ${servers(sides)} ask for ${asked}.`
export const readToo = (sides: Sides): string => `All that ${clients(sides)} send is read by ${servers(sides)}.`
export const otherCodec = (sides: Sides): string =>
  `Its texts are read by a codec of another name, and only ${servers(sides)} know whether it reads all that ${clients(sides)} send.`
export const untold = (sides: Sides): string =>
  `Whether ${servers(sides)} read all that ${clients(sides)} send cannot be told from the two schemas.`

// Bodies of requests
export const bodyNeeded = (sides: Sides): string => `${Clients(sides)} send no body, and ${servers(sides)} refuse a request without one.`
export const typesRefused = (sides: Sides, types: readonly string[]): string =>
  `${Clients(sides)} may send ${types.join(', ')}, which ${servers(sides)} do not take (415).`
export const further = (sides: Sides): string =>
  `${Clients(sides)} may send members that nobody declared, which ${servers(sides)} refuse rather than drop.`
export const memberNeeded = (sides: Sides): string => `${Clients(sides)} do not send it, and ${servers(sides)} refuse a body without it.`

export const strictServers = (sides: Sides): string =>
  `${Clients(sides)} send it, and ${servers(sides)} refuse members that they do not know.`
export const furtherAnswered = (sides: Sides): string =>
  `${Servers(sides)} may send members that nobody declared, which ${clients(sides)} refuse.`

// Answers
export const neverSent = (sides: Sides): string => `${Clients(sides)} rely on it, and ${servers(sides)} do not send it.`
export const seldomSent = (sides: Sides): string => `${Clients(sides)} rely on it, and ${servers(sides)} may leave it out.`
export const leftAlone = (sides: Sides): string => `${Clients(sides)} leave alone what they do not know.`
export const notMissed = (sides: Sides): string => `${Clients(sides)} know that it may be absent.`
export const strict = (sides: Sides): string => `${Servers(sides)} send it, and ${clients(sides)} refuse members that they do not know.`
export const unexpected = (sides: Sides, value: unknown, asked: string): string =>
  `${Servers(sides)} may answer ${shown(value)}, and ${clients(sides)} expect ${asked}.`
export const expectedToo = (sides: Sides): string => `All that ${servers(sides)} answer is expected by ${clients(sides)}.`
export const untoldAnswer = (sides: Sides): string =>
  `Whether ${clients(sides)} expect all that ${servers(sides)} answer cannot be told from the two schemas.`
export const otherStatus = (sides: Sides, one: number, other: number): string =>
  `${Clients(sides)} take ${one} for success, and ${servers(sides)} answer ${other}.`
export const typesMissing = (sides: Sides, types: readonly string[]): string =>
  `Who asks ${servers(sides)} for ${types.join(', ')}, as ${clients(sides)} may, is refused (406).`
export const otherFirst = (sides: Sides, one: string, other: string): string =>
  `Who says nothing of the type it wants gets ${other} from ${servers(sides)}, and ${clients(sides)} of that kind expect ${one}.`
export const streams = (sides: Sides, isStream: boolean): string =>
  isStream
    ? `${Clients(sides)} read the answer item after item, and ${servers(sides)} send it as one value.`
    : `${Clients(sides)} read the answer as one value, and ${servers(sides)} send it item after item.`
export const newError = (sides: Sides, status: number): string =>
  `${Clients(sides)} get ${status} as any error that they do not expect; whether it comes where success came before, only the server knows.`
export const noError = (sides: Sides): string => `${Clients(sides)} wait for an error that ${servers(sides)} do not raise.`
export const severalErrors = (status: number): string =>
  `There are several answers of the status ${status}, and which of them became which is not said.`
export const errorBody = (sides: Sides): string =>
  `${Clients(sides)} expect no body but problem details, and do not know the error by the body that ${servers(sides)} send.`

// The rest
export const credentialsNeeded = (sides: Sides): string =>
  `${Clients(sides)} show no credentials, and ${servers(sides)} refuse who does not (401).`
export const credentialsSpare = (sides: Sides): string => `${Servers(sides)} do not look at the credentials that ${clients(sides)} show.`
export const otherCredentials = (sides: Sides): string =>
  `${Clients(sides)} show their credentials in another way than ${servers(sides)} look for them (401).`
export const otherRealm = (sides: Sides): string =>
  `The credentials of ${clients(sides)} stand where ${servers(sides)} look for them; whether they are good there, only the check knows.`
export const tagMissing = (sides: Sides): string => `${Clients(sides)} rely on the ETag, and ${servers(sides)} send none.`
export const tagSpare = (sides: Sides): string => `${Clients(sides)} get a tag that they need not use.`
export const conditionNeeded = (sides: Sides): string =>
  `${Clients(sides)} may change without If-Match, which ${servers(sides)} refuse (428).`
export const conditionUnread = (sides: Sides): string =>
  `${Servers(sides)} do not heed the If-Match of ${clients(sides)}, so that an update can be lost.`
export const conditionHeeded = (sides: Sides): string => `${Servers(sides)} heed the conditions that ${clients(sides)} send, and need none.`
export const otherValue = (sides: Sides, value: string): string =>
  `${Servers(sides)} send the value ${shown(value)}; what ${clients(sides)} make of it is not said.`
export const rangesMissing = (sides: Sides, fields: readonly string[]): string =>
  `${Clients(sides)} may ask for ranges by ${fields.join(', ')}, which ${servers(sides)} do not have (416).`
export const rangesSpare = (sides: Sides): string => `${Servers(sides)} have all the ranges that ${clients(sides)} ask for.`

/** Where within the value the fault is; nothing where it is the value itself. */
export const faulty = (flaw: Flaw, value: unknown): unknown => {
  let here = value
  for (const step of flaw.pointer.split('/').slice(1))
    here = (here as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return here
}
export const missingWithin = (sides: Sides, { pointer }: Flaw, isRequest: boolean): string =>
  isRequest
    ? `${Clients(sides)} may leave ${pointer} out, and ${servers(sides)} refuse a value without it.`
    : `${Servers(sides)} may leave ${pointer} out, and ${clients(sides)} rely on it.`
