/**
 * The sentences that say what a change does. "Old" clients and servers are programs of the old description, "new" ones those of the new.
 * Used as `import * as reason from './diffMessages.ts'`.
 */
import { decodePointerStep } from 'lapidary/internal'
import type { Age, Sides } from './change.ts'
import type { InstanceIssue } from './subschema/validateInstance.ts'

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const nameParty = (age: Age, party: string): string => `${age} ${party}`
const nameClients = ({ caller }: Sides): string => nameParty(caller, 'clients')
const nameServers = ({ server }: Sides): string => nameParty(server, 'servers')
const capitalClients = (sides: Sides): string => capitalize(nameClients(sides))
const capitalServers = (sides: Sides): string => capitalize(nameServers(sides))

/** Longer values are cut. */
const maxShownValue = 60
const formatShownValue = (value: unknown): string => {
  if (Array.isArray(value) && value.length > 1) return `an array of ${value.length} items`
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxShownValue ? text : `${text.slice(0, maxShownValue)}…`
}

// Endpoints
export const noEndpoint = (sides: Sides, route: string, wasDeprecated: boolean): string =>
  `${capitalClients(sides)} call ${route}, which ${nameServers(sides)} do not have.${wasDeprecated ? ' It was deprecated.' : ''}`
export const noCaller = (sides: Sides): string => `${capitalClients(sides)} do not call it.`
export const onlyRenamed = (old: string, now: string): string =>
  `Requests and responses stay the same: programs that import the new description say "${now}" instead of "${old}".`
export const pathShadowed = (sides: Sides, path: string, name: string): string =>
  `${capitalServers(sides)} have another endpoint at ${path} ("${name}"): it gets the requests of ${nameClients(sides)} with this capture.`
export const routeWidened = (sides: Sides): string => `${capitalServers(sides)} accept one or more segments, but no encoded slash.`
export const delimiterDiffers = (sides: Sides): string =>
  `${capitalClients(sides)} write the values of the list in another way than ${nameServers(sides)} read them.`
export const slashMoved = (sides: Sides, one: string, other: string): string =>
  `${capitalClients(sides)} call ${one}, and ${nameServers(sides)} serve ${other}: not every server takes a path with and without a slash at its end.`
export const routeMoved = (sides: Sides, one: string, other: string): string =>
  `${capitalClients(sides)} call ${one}, and ${nameServers(sides)} serve it at ${other}.`

// Webhooks: a client receives them, and a server sends them
export const webhookNotSent = (sides: Sides): string => `${capitalClients(sides)} wait for it, and ${nameServers(sides)} do not send it.`
export const webhookNotExpected = (sides: Sides): string => `${capitalClients(sides)} do not know it, and do not wait for it.`
export const webhookTypeRejected = (sides: Sides, type: string): string =>
  `${capitalServers(sides)} send ${type}, which ${nameClients(sides)} do not read.`
export const webhookDeprecation = (): string => 'What is sent stays the same.'

// Parameters and headers of requests
export const missingRequired = (sides: Sides): string =>
  `${capitalClients(sides)} do not send it, and ${nameServers(sides)} reject a request without it.`
export const newlyRequired = (sides: Sides): string =>
  `${capitalClients(sides)} may omit it, and ${nameServers(sides)} reject a request without it.`
export const valueIgnored = (sides: Sides): string => `${capitalServers(sides)} ignore what ${nameClients(sides)} send there.`
export const optionalOmitted = (sides: Sides): string => `${capitalClients(sides)} do not send it, and it is optional.`
export const singleValueOnly = (sides: Sides): string =>
  `${capitalClients(sides)} may send several values, and ${nameServers(sides)} accept one.`
export const flagIgnoresValue = (sides: Sides): string =>
  `${capitalClients(sides)} send a value, and ${nameServers(sides)} read the name alone: "false" would be true.`
export const flagUnreadable = (sides: Sides): string =>
  `${capitalClients(sides)} send the name without a value, which ${nameServers(sides)} cannot read.`
export const valueRejected = (sides: Sides, value: unknown, expected: string): string =>
  `${capitalClients(sides)} may send ${formatShownValue(value)}, and ${nameServers(sides)} expect ${expected}.`
export const allAccepted = (sides: Sides): string => `${capitalServers(sides)} accept all that ${nameClients(sides)} send.`
export const codecDiffers = (sides: Sides): string =>
  `A codec with another name reads it: the descriptions do not tell whether ${nameServers(sides)} accept all that ${nameClients(sides)} send.`
export const requestUndecided = (sides: Sides): string =>
  `The two schemas do not tell whether ${nameServers(sides)} accept all that ${nameClients(sides)} send.`

// Bodies of requests
export const bodyRequired = (sides: Sides): string =>
  `${capitalClients(sides)} send no body, and ${nameServers(sides)} reject a request without one.`
export const optionalBodyRequired = (sides: Sides): string =>
  `${capitalClients(sides)} can leave it out, and ${nameServers(sides)} reject a request without one.`
export const mediaTypesRejected = (sides: Sides, types: readonly string[]): string =>
  `${capitalClients(sides)} may send ${types.join(', ')}, which ${nameServers(sides)} do not accept (415).`
export const undeclaredRejected = (sides: Sides): string =>
  `${capitalClients(sides)} may send undeclared members, which ${nameServers(sides)} reject instead of ignoring them.`
export const memberRequired = (sides: Sides): string =>
  `${capitalClients(sides)} do not send it, and ${nameServers(sides)} reject a body without it.`
export const memberRejected = (sides: Sides): string =>
  `${capitalClients(sides)} send it, and ${nameServers(sides)} reject unknown members.`

// Responses
export const undeclaredSent = (sides: Sides): string =>
  `${capitalServers(sides)} may send undeclared members, which ${nameClients(sides)} reject.`
export const partMissing = (sides: Sides): string => `${capitalClients(sides)} rely on it, and ${nameServers(sides)} do not send it.`
export const partOptional = (sides: Sides): string => `${capitalClients(sides)} rely on it, and ${nameServers(sides)} may omit it.`
export const additionIgnored = (sides: Sides): string => `${capitalClients(sides)} ignore what they do not know.`
export const absenceExpected = (sides: Sides): string => `${capitalClients(sides)} expect that it may be absent.`
export const memberUnexpected = (sides: Sides): string =>
  `${capitalServers(sides)} send it, and ${nameClients(sides)} reject unknown members.`
export const valueUnexpected = (sides: Sides, value: unknown, expected: string): string =>
  `${capitalServers(sides)} may send ${formatShownValue(value)}, and ${nameClients(sides)} expect ${expected}.`
export const allExpected = (sides: Sides): string => `${capitalClients(sides)} expect all that ${nameServers(sides)} send.`
export const responseUndecided = (sides: Sides): string =>
  `The two schemas do not tell whether ${nameClients(sides)} expect all that ${nameServers(sides)} send.`
export const cookieNotSet = (sides: Sides): string =>
  `${capitalServers(sides)} do not set it: the descriptions do not tell whether ${nameClients(sides)} need it in later requests.`
export const cookieAttributesDiffer = (sides: Sides, attributes: string): string =>
  `${capitalServers(sides)} set it with ${attributes}: ${nameClients(sides)} may keep or send it differently.`
export const statusDiffers = (sides: Sides, one: number, other: number): string =>
  `${capitalClients(sides)} expect ${one} for success, and ${nameServers(sides)} send ${other}.`
export const responseAdded = (sides: Sides, status: number): string =>
  `${capitalClients(sides)} do not expect ${status}, which ${nameServers(sides)} may send for success.`
export const responseRemoved = (sides: Sides): string =>
  `${capitalClients(sides)} handle a response that ${nameServers(sides)} do not send.`
export const mediaTypesMissing = (sides: Sides, types: readonly string[]): string =>
  `${capitalClients(sides)} may ask for ${types.join(', ')}, which ${nameServers(sides)} do not offer (406).`
export const mediaTypesUnexpected = (sides: Sides, types: readonly string[]): string =>
  `${capitalServers(sides)} may send a file of the type ${types.join(', ')}, which ${nameClients(sides)} do not expect.`
export const fileRangesMissing = (sides: Sides): string =>
  `${capitalServers(sides)} ignore ranges, and send no ETag: the descriptions do not tell whether ${nameClients(sides)} need them.`
export const defaultTypeDiffers = (sides: Sides, one: string, other: string): string =>
  `Without an Accept header, ${nameServers(sides)} send ${other}, and ${nameClients(sides)} expect ${one}.`
export const defaultDiffers = (sides: Sides): string =>
  `A request without it means one thing to ${nameClients(sides)}, and another to ${nameServers(sides)}: the default differs.`
export const streamingDiffers = (sides: Sides, isStream: boolean): string =>
  isStream
    ? `${capitalClients(sides)} read the response item by item, and ${nameServers(sides)} send it as one value.`
    : `${capitalClients(sides)} read the response as one value, and ${nameServers(sides)} send it item by item.`
const nameErrorStatus = (key: string): string => (/^\d+$/.test(key) ? key : `any other ${key === 'default' ? 'status' : key}`)
export const errorAdded = (sides: Sides, key: string): string =>
  `${capitalClients(sides)} do not expect ${nameErrorStatus(key)}: the descriptions do not tell whether it replaces a success.`
export const errorRemoved = (sides: Sides): string => `${capitalClients(sides)} handle an error that ${nameServers(sides)} do not send.`
export const errorsAmbiguous = (key: string): string =>
  `Several errors are declared for ${key}: the descriptions do not tell which of them became which.`
export const errorBodyAdded = (sides: Sides): string =>
  `${capitalClients(sides)} expect problem details, and do not recognize the error by the body that ${nameServers(sides)} send.`

// Credentials, conditions and ranges
export const credentialsRequired = (sides: Sides): string =>
  `${capitalClients(sides)} send no credentials, and ${nameServers(sides)} reject a request without them (401).`
export const credentialsIgnored = (sides: Sides): string =>
  `${capitalServers(sides)} ignore the credentials that ${nameClients(sides)} send.`
export const invalidCredentialsIgnored = (sides: Sides): string => `${capitalServers(sides)} take wrong credentials as none.`
export const invalidCredentialsRejected = (sides: Sides): string =>
  `${capitalServers(sides)} reject wrong credentials (401); whether ${nameClients(sides)} send some, such as an expired cookie, is not described.`
export const scopesRequired = (sides: Sides, scopes: readonly string[]): string =>
  `${capitalServers(sides)} need the scopes ${scopes.join(', ')}, which ${nameClients(sides)} do not ask for (403).`
export const credentialsDiffer = (sides: Sides): string =>
  `${capitalClients(sides)} send their credentials in another way than ${nameServers(sides)} read them (401).`
export const realmDiffers = (sides: Sides): string =>
  `${capitalServers(sides)} read the credentials of ${nameClients(sides)}: the descriptions do not tell whether they accept them.`
export const etagMissing = (sides: Sides): string => `${capitalClients(sides)} rely on the ETag, and ${nameServers(sides)} send none.`
export const etagOptional = (sides: Sides): string => `${capitalClients(sides)} get an ETag that they need not use.`
export const conditionRequired = (sides: Sides): string =>
  `${capitalClients(sides)} may send a change without If-Match, which ${nameServers(sides)} reject (428).`
export const conditionIgnored = (sides: Sides): string =>
  `${capitalServers(sides)} ignore the If-Match of ${nameClients(sides)}, so that an update can be lost.`
export const conditionSupported = (sides: Sides): string =>
  `${capitalServers(sides)} check the conditions that ${nameClients(sides)} send, and require none.`
export const keyRequired = (sides: Sides): string =>
  `${capitalClients(sides)} may send a request without Idempotency-Key, which ${nameServers(sides)} reject (400).`
export const keyIgnored = (sides: Sides): string =>
  `${capitalServers(sides)} ignore the Idempotency-Key of ${nameClients(sides)}: a request that is sent again has a second effect.`
export const keySupported = (sides: Sides): string =>
  `${capitalServers(sides)} read the Idempotency-Key of a request, and ${nameClients(sides)} may send it or leave it out.`
export const headerValueDiffers = (sides: Sides, value: string): string =>
  `${capitalServers(sides)} send the value ${formatShownValue(value)}: the descriptions do not tell what ${nameClients(sides)} do with it.`
export const bodySizeReduced = (sides: Sides, one: number, other: number): string =>
  `${capitalClients(sides)} may send a body of ${one} bytes, and ${nameServers(sides)} accept ${other} (413).`
export const bodySizeUndeclared = (sides: Sides): string =>
  `One of the descriptions does not tell how large a body ${nameServers(sides)} accept.`
export const timeoutReduced = (sides: Sides, one: number, other: number): string =>
  `${capitalClients(sides)} get a response within ${one} ms, and ${nameServers(sides)} send 503 after ${other} ms: the descriptions do not tell how long a response takes.`
export const timeoutExtended = (sides: Sides): string => `${capitalServers(sides)} send all that ${nameClients(sides)} get in time.`
export const timeoutUndeclared = (sides: Sides): string =>
  `One of the descriptions does not tell after how long ${nameServers(sides)} send 503.`
export const onlyDeprecation = (): string =>
  'Requests and responses stay the same, except for the headers that say whether the endpoint is deprecated.'
export const rangesMissing = (sides: Sides, fields: readonly string[]): string =>
  `${capitalClients(sides)} may ask for ranges by ${fields.join(', ')}, which ${nameServers(sides)} do not have (416).`
export const rangesSupported = (sides: Sides): string => `${capitalServers(sides)} have all the ranges that ${nameClients(sides)} ask for.`
export const allItemsSent = (sides: Sides): string =>
  `${capitalServers(sides)} send all items at once, so that ${nameClients(sides)} find no next page.`
export const onlyOnePageRead = (sides: Sides): string =>
  `${capitalServers(sides)} send one page of the items, and ${nameClients(sides)} take it for all of them.`
export const pagesDiffer = (sides: Sides, one: string, other: string): string =>
  `${capitalClients(sides)} select a page by ${one}, and ${nameServers(sides)} by ${other}.`
export const nextMemberMissing = (sides: Sides, name: string): string =>
  `${capitalClients(sides)} may look for the cursor of the next page in ${JSON.stringify(name)}, which ${nameServers(sides)} do not send: they take a page for the last one.`
export const nextPageFound = (sides: Sides): string => `${capitalClients(sides)} find the next page by Link.`

/** The part of a value that an issue points at. */
export function getValueAt({ pointer }: InstanceIssue, value: unknown): unknown {
  let here = value
  for (const step of pointer.split('/').slice(1)) here = (here as Readonly<Record<string, unknown>>)[decodePointerStep(step)]
  return here
}

export const memberOmitted = (sides: Sides, { pointer }: InstanceIssue, isRequest: boolean): string =>
  isRequest
    ? `${capitalClients(sides)} may omit ${pointer}, and ${nameServers(sides)} reject a value without it.`
    : `${capitalServers(sides)} may omit ${pointer}, and ${nameClients(sides)} rely on it.`
