/** Creates the witnesses of changes: for each change that breaks programs, what they send and get. */
import type { Change, Evidence, Finding } from '../change.ts'
import type { ApiManifest, EndpointManifest } from '../manifest.ts'
import { findServingEndpoint } from '../servedRequest.ts'
import { limitSteps } from '../subschema/budget.ts'
import type { Witness } from './witness.ts'
import { createWitnessRequest } from './witnessRequest.ts'
import { createWitnessResponse } from './witnessResponse.ts'
import { forgetWitnessValues } from './witnessValues.ts'

/** The descriptions of an endpoint, and of the APIs that it is in. */
interface EndpointVersions {
  readonly old: EndpointManifest | undefined
  readonly now: EndpointManifest | undefined
  readonly before: ApiManifest
  readonly after: ApiManifest
}

/** Whether credentials are optional. */
const hasAnonymous = ({ auth }: EndpointManifest): boolean => auth?.some((alternative) => alternative.length === 0) === true

/** Whether a request alone shows a change: credentials and what a server does not do with a condition or a key are none of its parts. */
function isShownByRequest(place: string, own: EndpointManifest, other: EndpointManifest | undefined): boolean {
  if (place === 'auth') return own.auth === null || (hasAnonymous(own) && other !== undefined && !hasAnonymous(other))
  if (place === 'etag') return other?.etag === 'required'
  if (place === 'idempotent') return other?.idempotent === 'required'
  return place !== 'maxBodySize'
}

/** The most steps of one witness. */
const maxWitnessSteps = 150_000

/** The parts of a response, in places. */
const isResponsePlace = (place: string): boolean => /^(?:response|error|always|ranges|pages)\b/.test(place)

function buildWitness({ place }: Finding, evidence: Evidence, versions: EndpointVersions): Witness | undefined {
  const { caller } = evidence
  const { old, now, before, after } = versions
  const [own, other, server] = caller === 'old' ? [old, now, after] : [now, old, before]
  if (own === undefined) return undefined
  const isResponse = isResponsePlace(place) || (place === 'etag' && other?.etag === null && own.etag === true)
  if (!isResponse && !isShownByRequest(place, own, other)) return undefined
  const request = createWitnessRequest(isResponse ? '' : place, own, other, evidence)
  if (request === undefined) return undefined
  const isMissing = place === '' || place === 'route'
  // Another endpoint may take it, as one with a capture does.
  if (isMissing && findServingEndpoint(server, request.method, request.path) !== undefined) return undefined
  if (!isResponse) return { caller, request }
  const response = other && createWitnessResponse(place, own, other, evidence)
  return response && { caller, request, response }
}

/** Creates the witness of a change that breaks programs; undefined where none is found, or nothing breaks. */
function createWitness(finding: Finding, versions: EndpointVersions): Witness | undefined {
  const { evidence } = finding
  return evidence === undefined ? undefined : limitSteps(maxWitnessSteps, () => buildWitness(finding, evidence, versions), undefined)
}

/** A finding of an endpoint, whose witness is created when all changes are judged: none is judged worse for the time that it takes. */
export interface JudgedChange {
  /** The name of the endpoint. */
  readonly endpoint: string
  readonly finding: Finding
  /** Undefined: it is no change of an endpoint, and has no witness. */
  readonly versions?: EndpointVersions
}

/** The changes with their witnesses. */
export function toChanges(judged: readonly JudgedChange[]): readonly Change[] {
  forgetWitnessValues()
  return judged.map(toChange)
}

/** The change without a witness. */
export function toUnshownChange({ endpoint, finding }: JudgedChange): Change {
  const { evidence: _, ...change } = finding
  return { endpoint, ...change }
}

function toChange(judged: JudgedChange): Change {
  const { finding, versions } = judged
  const witness = versions && createWitness(finding, versions)
  return { ...toUnshownChange(judged), ...(witness !== undefined && { witness }) }
}
