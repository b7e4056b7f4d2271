/** What an exchange with a running server shows of a change. */
import { findReplies } from 'lapidary/internal'
import type { WireResponse } from '../../check/exchange.ts'
import type { Change } from '../change.ts'
import type { EndpointManifest } from '../manifest.ts'
import type { Witness } from '../witness/witness.ts'
import * as reason from './replayMessages.ts'
import { describeUnexpected } from './unexpectedResponse.ts'

/** What an exchange shows of a change, and why. */
export interface Verdict {
  readonly outcome: 'confirmed' | 'refuted' | 'unclear'
  readonly reason: string
}

/** Whether a change takes the endpoint away from where clients call it. */
const isEndpointMissing = ({ place }: Change): boolean => place === '' || place === 'route'

/** Whether a response is declared as a stream, which may have no end. */
const isEndlessResponse = ({ status }: WireResponse, { responses, errors }: EndpointManifest): boolean =>
  findReplies([...responses, ...errors], status).some(({ body }) => body?.streams === true)

/** What a response says that has another cause than the change; undefined where the change may be its cause. */
function explainResponse(
  change: Change,
  response: WireResponse,
  witness: Witness,
  endpoint: EndpointManifest | undefined,
): string | undefined {
  const { place } = change
  const { status, complete, header } = response
  if (!complete && (endpoint === undefined || !isEndlessResponse(response, endpoint))) return reason.unfinished()
  // The change is about this status.
  if (status === witness.response?.status) return undefined
  const isDeclared = endpoint !== undefined && findReplies([...endpoint.responses, ...endpoint.errors], status).length > 0
  if (status >= 300 && status < 400 && !isDeclared) return reason.redirected(status, header('location'))
  if ((status === 401 || status === 403) && place !== 'auth') return reason.credentialsNeeded(status)
  if (status === 429 || status >= 500) return reason.unavailable(status)
  if ((status !== 404 && status !== 405) || isEndpointMissing(change) || place.startsWith('capture ')) return undefined
  const captures = Object.keys(endpoint?.captures ?? {})
  return status === 404 && captures.length > 0 ? reason.itemMissing(captures) : reason.endpointMissing(status)
}

/** Judges what a server does with a witness. */
export function judgeExchange(change: Change, witness: Witness, response: WireResponse, endpoint: EndpointManifest | undefined): Verdict {
  const { status } = response
  const other = explainResponse(change, response, witness, endpoint)
  if (other !== undefined) return { outcome: 'unclear', reason: other }
  if (witness.response === undefined)
    return status >= 400
      ? { outcome: 'confirmed', reason: reason.refused(status) }
      : { outcome: 'refuted', reason: reason.accepted(status) }
  const unexpected = endpoint && describeUnexpected(endpoint, response)
  if (unexpected !== undefined) return { outcome: 'confirmed', reason: unexpected }
  return status >= 400
    ? { outcome: 'unclear', reason: reason.refused(status) }
    : { outcome: 'refuted', reason: reason.expectedResponse(status) }
}
