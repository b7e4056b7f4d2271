/** The first step of a request: from its path and method to the operation, mount or fallback that answers it. */
import * as complaint from '../describe/complaint.ts'
import { answer } from '../describe/message.ts'
import { percentDecoded } from '../describe/percent.ts'
import { isWrong } from '../describe/reading.ts'
import type { Router } from '../describe/router.ts'
import { beginning, inBounds } from '../describe/shortened.ts'
import type { Incoming, Kernel, Outgoing } from './kernel.ts'
import type { Operation } from './operation.ts'
import { isPromise } from './promise.ts'
import type { Raise } from './raise.ts'
import type { Refuse } from './refuse.ts'
import { reporting } from './stream.ts'

type Answer = Outgoing | Promise<Outgoing>

/** The operations at one path. */
export interface Resource {
  readonly operations: Map<string, Operation>
  /** The Allow header. */
  allow: string
  /** The headers that every answer at this path carries, flat. */
  always: readonly string[]
}

/** A kernel under a prefix. */
export interface Mounted {
  readonly name: string
  /** Its prefix. */
  readonly route: string
  readonly kernel: Kernel
}

/** What a dispatcher chooses from. */
export interface Parts {
  readonly resources: Router<Resource>
  readonly mounts: Router<Mounted>
  readonly fallback: Kernel | undefined
  readonly refuse: Refuse
  readonly raise: Raise
  /** Told of a stream that failed part-way. */
  readonly report: (error: unknown, incoming: Incoming) => void
}

/** The request as a mount sees it: without the prefix. */
const below = (incoming: Incoming, length: number): Incoming =>
  Object.create(incoming, { target: { value: incoming.target.slice(length), enumerable: true } })

/** The kernel that sends each request where it belongs. 404 before 400 for a capture, before 405; then the operation's own order. */
export function dispatcher({ resources, mounts, fallback, refuse, raise, report }: Parts): Kernel {
  /** What is not ours has answered: with an answer, and with a stream whose failure is heard of. @throws TypeError for anything else. */
  function answered(outgoing: Outgoing, incoming: Incoming): Outgoing {
    // Plain JavaScript may well forget to return one.
    if (typeof outgoing !== 'object' || outgoing === null) throw new TypeError(complaint.noOutgoing(String(outgoing)))
    const { body } = outgoing
    if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return outgoing
    return { ...outgoing, body: reporting(body, (error) => report(error, incoming)) }
  }

  /** Runs what is not ours, and answers for what it throws. */
  function foreign(kernel: Kernel, incoming: Incoming): Answer {
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return answered(outgoing, incoming)
      return Promise.resolve(outgoing)
        .then((late) => answered(late, incoming))
        .catch((error) => raise(error, incoming))
    } catch (error) {
      return raise(error, incoming)
    }
  }

  /** The refusal of a request that matches no endpoint, unless the fallback takes it. */
  const unmatched = (incoming: Incoming, ...refusal: Parameters<Refuse>): Answer =>
    fallback === undefined ? refuse(...refusal) : foreign(fallback, incoming)

  /** A path that is not the API's. */
  function elsewhere(incoming: Incoming, path: string): Answer {
    const mounted = mounts.findPrefix(path)
    if (mounted !== undefined) {
      const { kernel, route } = mounted.leaf
      const outgoing = foreign(kernel, below(incoming, mounted.length))
      return isPromise(outgoing) ? outgoing.then((late) => ({ ...late, route })) : { ...outgoing, route }
    }
    return unmatched(incoming, 404, { detail: answer.noSuchPath() })
  }

  /** A path of the API's with a method that has no endpoint. Captures that none of its endpoints can read are told first. */
  function otherwise(incoming: Incoming, { operations, allow, always }: Resource, texts: readonly string[]): Answer {
    const { method } = incoming
    const [first, ...others] = operations.values()
    const errors = first?.captures(texts)
    if (first !== undefined && errors !== undefined && isWrong(errors) && others.every((other) => isWrong(other.captures(texts)))) {
      return unmatched(incoming, 400, { detail: answer.badCapture(first.endpoint.route), ...inBounds(errors), headers: always })
    }
    const headers = ['Allow', allow, ...always]
    if (method === 'OPTIONS') return { status: 204, headers, body: null }
    return unmatched(incoming, 405, { detail: answer.wrongMethod(beginning(method, 32), allow), headers })
  }

  function operated(incoming: Incoming, operation: Operation, texts: readonly string[], search: string): Answer {
    try {
      const params = operation.captures(texts)
      if (isWrong(params)) {
        const { route, always } = operation.endpoint
        return unmatched(incoming, 400, {
          detail: answer.badCapture(route),
          ...inBounds(params),
          headers: Object.entries(always).flat(),
          route,
        })
      }
      const outgoing = operation.run(incoming, params, search)
      return isPromise(outgoing) ? outgoing.catch((error) => raise(error, incoming, operation)) : outgoing
    } catch (error) {
      return raise(error, incoming, operation)
    }
  }

  function dispatch(incoming: Incoming): Answer {
    const { target } = incoming
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    if (path.includes('%') && percentDecoded(path) === undefined) return unmatched(incoming, 400, { detail: answer.badPath() })
    const found = resources.find(path)
    if (found === undefined) return elsewhere(incoming, path)
    const operation = found.leaf.operations.get(incoming.method === 'HEAD' ? 'GET' : incoming.method)
    if (operation === undefined) return otherwise(incoming, found.leaf, found.captures)
    return operated(incoming, operation, found.captures, mark < 0 ? '' : target.slice(mark + 1))
  }

  return (incoming) => {
    try {
      return dispatch(incoming)
    } catch (error) {
      return raise(error, incoming)
    }
  }
}
