/** Several clients send the same POST with the same Idempotency-Key at the same time. */
import { idempotencyKeyHeader } from 'lapidary/internal'
import { createIdempotencyKey, withHeaderLines } from '../exchange.ts'
import { isSuccess } from '../sequences/judgeResponse.ts'
import * as messages from '../sequences/messages.ts'
import { withTexts } from '../sequences/playedItem.ts'
import { type PlayContext, Player } from '../sequences/playSteps.ts'
import type { SentRequest } from '../sequences/sendRequests.ts'

/** What is wrong with the responses. */
export interface FailedPosts {
  readonly sent: readonly SentRequest[]
  readonly message: string
}

/** Sends the POSTs; `undefined`: they have had one effect. */
export async function runPostRound(context: PlayContext, clients: number): Promise<FailedPosts | undefined> {
  const { family, run, sender, pool } = context
  const { create } = family
  const player = new Player(context)
  const parents = await player.findParents(family, 0)
  for (const call of pool.list(create).slice(0, 3)) {
    const built = await run.buildRequest(create, withTexts(create, call, parents))
    const request = withHeaderLines(built, idempotencyKeyHeader, createIdempotencyKey())
    const parallel = await Promise.all(Array.from({ length: clients }, (_, client) => sender.send(create, request, client)))
    // A server may refuse a request while the first one with its key runs. Afterwards it has its response.
    const sent = [...parallel, await sender.send(create, request, 0)]
    const successes = sent.filter(({ response }) => isSuccess(response))
    if (successes.length === 0) continue
    const toResult = ({ response }: SentRequest): string =>
      `${response.header('location') ?? ''} ${Buffer.from(response.body).toString('latin1')}`
    const results = new Set(successes.map(toResult))
    if (results.size === 1) return undefined
    return {
      sent: successes.filter((one, at) => successes.findIndex((other) => toResult(other) === toResult(one)) === at),
      message: messages.parallelPostsDiffer(results.size),
    }
  }
  return undefined
}
