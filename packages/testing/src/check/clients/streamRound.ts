/** A client reads a stream of events while items are created, and then resumes it after an earlier event. */
import type { CheckRun } from '../checkRun.ts'
import { isWireResponse, withHeaderLines } from '../exchange.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { SentRequest, SequenceSender } from '../sequences/sendRequests.ts'
import type { CallPool } from '../sequences/step.ts'

/** An event with an identifier. */
interface IdentifiedEvent {
  readonly id: string
  readonly data: string
}

/** A resumed stream that does not continue the first one. */
export interface FailedStream {
  readonly sent: readonly SentRequest[]
  readonly message: string
}

/** Whether an endpoint sends events that a client can resume. */
export const isResumable = ({ endpoint: { headers, response } }: EndpointUnderTest): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'last-event-id') &&
  response.content?.media.some(({ types }) => types.some((type) => type.startsWith('text/event-stream'))) === true

/** How long a stream is read, in milliseconds. */
const readMilliseconds = 600
/** How long the server may take to open a stream. */
const openMilliseconds = 150

/** Reads the complete events of a body that have an identifier. */
export function parseEvents(text: string): readonly IdentifiedEvent[] {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n').slice(0, -1)
  return blocks.flatMap((block): readonly IdentifiedEvent[] => {
    const lines = block.split('\n')
    const find = (field: string): readonly string[] =>
      lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''))
    const [id] = find('id')
    return id === undefined || id === '' ? [] : [{ id, data: find('data').join('\n') }]
  })
}

const readEvents = ({ response }: SentRequest): readonly IdentifiedEvent[] =>
  isWireResponse(response) ? parseEvents(Buffer.from(response.body).toString('utf8')) : []

/** Compares the events of a stream that was resumed after an event with those of the first stream. */
export function compareResumed(first: readonly IdentifiedEvent[], after: string, resumed: readonly IdentifiedEvent[]): string | undefined {
  const at = first.findIndex(({ id }) => id === after)
  const ids = resumed.map(({ id }) => id)
  const repeated = first.slice(0, at + 1).find(({ id }) => ids.includes(id)) ?? resumed.find(({ id }, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) return `the event ${repeated.id} is repeated`
  const rest = first.slice(at + 1)
  const lost = rest.find(({ id }) => !ids.includes(id))
  if (lost !== undefined) return `the event ${lost.id} is lost`
  const moved = rest.findIndex(({ id }, index) => ids[index] !== id)
  if (moved >= 0) return `expected the event ${rest[moved]?.id}, got the event ${ids[moved]}`
  const changed = rest.find(({ data }, index) => resumed[index]?.data !== data)
  return changed === undefined ? undefined : `the event ${changed.id} has other data`
}

/** Reads and resumes a stream. `untested`: it has sent fewer than two events with identifiers. */
export async function runStreamRound(
  { run, sender, pool }: { readonly run: CheckRun; readonly sender: SequenceSender; readonly pool: CallPool },
  subject: EndpointUnderTest,
  createItems: () => Promise<void>,
): Promise<FailedStream | 'untested' | undefined> {
  const [call] = pool.list(subject)
  if (call === undefined) return 'untested'
  const request = withHeaderLines(await run.buildRequest(subject, call), 'Last-Event-ID')
  const reading = sender.send(subject, request, 0, readMilliseconds)
  await new Promise((resolve) => void setTimeout(resolve, openMilliseconds))
  await createItems()
  const first = await reading
  const events = readEvents(first)
  const identified = [events[0], events.at(Math.floor(events.length / 2)), events.at(-1)].filter((event) => event !== undefined)
  if (events.length < 2) return 'untested'
  for (const { id } of new Set(identified)) {
    const resumed = await sender.send(subject, withHeaderLines(request, 'Last-Event-ID', id), 1, readMilliseconds / 2)
    const difference = compareResumed(events, id, readEvents(resumed))
    if (difference !== undefined)
      return {
        sent: [first, resumed],
        message: `resumed after the event ${id}: ${difference}. Send each event after Last-Event-ID once, in order.`,
      }
  }
  return undefined
}
