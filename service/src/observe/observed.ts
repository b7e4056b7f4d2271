/** Watches over requests: names each, lets observers know when it begins and when its answer has ended, and sends its name back. */
import type { HttpHandler, HttpResponse, RequestEnd } from 'lapidary/server'
import type { Deployment } from '../settings/deployment.ts'
import type { Observer } from './observation.ts'
import { requestId } from './requestId.ts'
import { traceOf } from './traceOf.ts'

/** The same kernel, which is watched. Its answers carry `X-Request-Id`; what reports an unexpected error hears the same id. */
export function observed(kernel: HttpHandler, deployment: Deployment, observers: readonly Observer[]): HttpHandler {
  return (incoming) => {
    const began = performance.now()
    const id = requestId(incoming.header('x-request-id'))
    const traceId = traceOf(incoming)
    const { method, target, remoteAddress: remote } = incoming
    for (const { begun } of observers) begun?.(deployment)

    let ended: RequestEnd | undefined
    let milliseconds = 0
    let answered: HttpResponse | undefined
    // A client may leave before there is an answer to it, and a mounted listener may have sent its own before we hear of it.
    const tell = (): void => {
      if (ended === undefined || answered === undefined) return
      const { status, bytes, outcome: how } = ended
      const { route } = answered
      const observation = { status, bytes, outcome: how, milliseconds, deployment, route, method, target, id, traceId, remote }
      for (const observer of observers) observer.ended(observation)
    }
    incoming.onEnd((ending) => {
      ended = ending
      milliseconds = performance.now() - began
      tell()
    })
    const answer = (outgoing: HttpResponse): HttpResponse => {
      answered = outgoing
      tell()
      const { status, reason, headers, body, route } = outgoing
      // A mounted Node listener has answered by itself.
      return status === 0 ? outgoing : { status, reason, headers: [...headers, 'X-Request-Id', id], body, route }
    }

    incoming.id = id
    const outgoing = kernel(incoming)
    return outgoing instanceof Promise ? outgoing.then(answer) : answer(outgoing)
  }
}
