const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const nameParty = (age, who) => `${age} ${who}`
const nameClients = ({ caller }) => nameParty(caller, 'clients')
const nameServers = ({ server }) => nameParty(server, 'servers')
const capitalClients = (sides) => capitalize(nameClients(sides))
const capitalServers = (sides) => capitalize(nameServers(sides))
/** Values that are shown, at most this long. */
const maxShownValue = 60
const formatShownValue = (value) => {
  if (Array.isArray(value) && value.length > 1) return `a list of ${value.length}`
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxShownValue ? text : `${text.slice(0, maxShownValue)}…`
}
// Endpoints
export const noEndpoint = (sides, route) => `${capitalClients(sides)} call ${route}, which ${nameServers(sides)} do not have.`
export const noCaller = (sides) => `Nobody who was written against the ${sides.caller} description calls it.`
export const onlyRenamed = (old, now) =>
  `On the wire nothing is different: "${old}" is only called "${now}" in programs that import the new description.`
export const pathShadowed = (sides, path, name) =>
  `${capitalServers(sides)} have an endpoint of its own at ${path} ("${name}"): a request of ${nameClients(sides)} with such a capture reaches that one.`
export const routeMoved = (sides, one, other) => `${capitalClients(sides)} call ${one}, and ${nameServers(sides)} answer at ${other}.`
// What stands under a name in a request
export const missingRequired = (sides) => `${capitalClients(sides)} do not send it, and ${nameServers(sides)} refuse a request without it.`
export const newlyRequired = (sides) => `${capitalClients(sides)} may leave it out, and ${nameServers(sides)} refuse a request without it.`
export const valueIgnored = (sides) =>
  `What ${nameClients(sides)} send there is not read by ${nameServers(sides)}, who answer as if it had not been sent.`
export const optionalOmitted = (sides) => `${capitalClients(sides)} leave it out, as they may.`
export const singleValueOnly = (sides) => `${capitalClients(sides)} may send several values, and ${nameServers(sides)} take one.`
export const flagIgnoresValue = (sides) =>
  `${capitalClients(sides)} send a value, and for ${nameServers(sides)} the name alone counts: "false" would be true.`
export const flagUnreadable = (sides) => `${capitalClients(sides)} send the name without a value, which ${nameServers(sides)} cannot read.`
export const valueRejected = (sides, value, asked) =>
  `${capitalClients(sides)} may send ${formatShownValue(value)}, and ${nameServers(sides)} ask for ${asked}.`
export const allAccepted = (sides) => `All that ${nameClients(sides)} send is read by ${nameServers(sides)}.`
export const codecDiffers = (sides) =>
  `Its texts are read by a codec of another name, and only ${nameServers(sides)} know whether it reads all that ${nameClients(sides)} send.`
export const requestUndecided = (sides) =>
  `Whether ${nameServers(sides)} read all that ${nameClients(sides)} send cannot be told from the two schemas.`
// Bodies of requests
export const bodyRequired = (sides) => `${capitalClients(sides)} send no body, and ${nameServers(sides)} refuse a request without one.`
export const mediaTypesRejected = (sides, types) =>
  `${capitalClients(sides)} may send ${types.join(', ')}, which ${nameServers(sides)} do not take (415).`
export const undeclaredRejected = (sides) =>
  `${capitalClients(sides)} may send members that nobody declared, which ${nameServers(sides)} refuse rather than drop.`
export const memberRequired = (sides) => `${capitalClients(sides)} do not send it, and ${nameServers(sides)} refuse a body without it.`
export const memberRejected = (sides) => `${capitalClients(sides)} send it, and ${nameServers(sides)} refuse members that they do not know.`
export const undeclaredSent = (sides) =>
  `${capitalServers(sides)} may send members that nobody declared, which ${nameClients(sides)} refuse.`
// Answers
export const partMissing = (sides) => `${capitalClients(sides)} rely on it, and ${nameServers(sides)} do not send it.`
export const partOptional = (sides) => `${capitalClients(sides)} rely on it, and ${nameServers(sides)} may leave it out.`
export const additionIgnored = (sides) => `${capitalClients(sides)} leave alone what they do not know.`
export const absenceExpected = (sides) => `${capitalClients(sides)} know that it may be absent.`
export const memberUnexpected = (sides) =>
  `${capitalServers(sides)} send it, and ${nameClients(sides)} refuse members that they do not know.`
export const valueUnexpected = (sides, value, asked) =>
  `${capitalServers(sides)} may answer ${formatShownValue(value)}, and ${nameClients(sides)} expect ${asked}.`
export const allExpected = (sides) => `All that ${nameServers(sides)} answer is expected by ${nameClients(sides)}.`
export const responseUndecided = (sides) =>
  `Whether ${nameClients(sides)} expect all that ${nameServers(sides)} answer cannot be told from the two schemas.`
export const statusDiffers = (sides, one, other) =>
  `${capitalClients(sides)} take ${one} for success, and ${nameServers(sides)} answer ${other}.`
export const mediaTypesMissing = (sides, types) =>
  `Who asks ${nameServers(sides)} for ${types.join(', ')}, as ${nameClients(sides)} may, is refused (406).`
export const defaultTypeDiffers = (sides, one, other) =>
  `Who says nothing of the type it wants gets ${other} from ${nameServers(sides)}, and ${nameClients(sides)} of that kind expect ${one}.`
export const streamingDiffers = (sides, isStream) =>
  isStream
    ? `${capitalClients(sides)} read the answer item after item, and ${nameServers(sides)} send it as one value.`
    : `${capitalClients(sides)} read the answer as one value, and ${nameServers(sides)} send it item after item.`
export const errorAdded = (sides, status) =>
  `${capitalClients(sides)} get ${status} as any error that they do not expect; whether it comes where success came before, only the server knows.`
export const errorRemoved = (sides) => `${capitalClients(sides)} wait for an error that ${nameServers(sides)} do not raise.`
export const errorsAmbiguous = (status) => `There are several answers of the status ${status}, and which of them became which is not said.`
export const errorBodyAdded = (sides) =>
  `${capitalClients(sides)} expect no body but problem details, and do not know the error by the body that ${nameServers(sides)} send.`
// The rest
export const credentialsRequired = (sides) =>
  `${capitalClients(sides)} show no credentials, and ${nameServers(sides)} refuse who does not (401).`
export const credentialsIgnored = (sides) => `${capitalServers(sides)} do not look at the credentials that ${nameClients(sides)} show.`
export const credentialsDiffer = (sides) =>
  `${capitalClients(sides)} show their credentials in another way than ${nameServers(sides)} look for them (401).`
export const realmDiffers = (sides) =>
  `The credentials of ${nameClients(sides)} stand where ${nameServers(sides)} look for them; whether they are good there, only the check knows.`
export const etagMissing = (sides) => `${capitalClients(sides)} rely on the ETag, and ${nameServers(sides)} send none.`
export const etagOptional = (sides) => `${capitalClients(sides)} get a tag that they need not use.`
export const conditionRequired = (sides) =>
  `${capitalClients(sides)} may change without If-Match, which ${nameServers(sides)} refuse (428).`
export const conditionIgnored = (sides) =>
  `${capitalServers(sides)} do not heed the If-Match of ${nameClients(sides)}, so that an update can be lost.`
export const conditionSupported = (sides) => `${capitalServers(sides)} heed the conditions that ${nameClients(sides)} send, and need none.`
export const headerValueDiffers = (sides, value) =>
  `${capitalServers(sides)} send the value ${formatShownValue(value)}; what ${nameClients(sides)} make of it is not said.`
export const rangesMissing = (sides, fields) =>
  `${capitalClients(sides)} may ask for ranges by ${fields.join(', ')}, which ${nameServers(sides)} do not have (416).`
export const rangesSupported = (sides) => `${capitalServers(sides)} have all the ranges that ${nameClients(sides)} ask for.`
/** Where within the value the fault is; nothing where it is the value itself. */
export const getValueAt = (flaw, value) => {
  let here = value
  for (const step of flaw.pointer.split('/').slice(1)) here = here[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return here
}
export const memberOmitted = (sides, { pointer }, isRequest) =>
  isRequest
    ? `${capitalClients(sides)} may leave ${pointer} out, and ${nameServers(sides)} refuse a value without it.`
    : `${capitalServers(sides)} may leave ${pointer} out, and ${nameClients(sides)} rely on it.`
