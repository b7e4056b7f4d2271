/** Sends many streams of bytes in parallel, each over its own connection. */
import { flawsOf } from './lint.ts'
import { repliesIn } from './replies.ts'
import { requestsIn } from './requests.ts'
import { get, type Piece } from './row.ts'
import { open } from './wire.ts'

/** How many connections there are at a time. */
const atOnce = 64

/** Those of our own: we do not know how to do that, we are too busy, we do not speak that version. */
const deliberate = new Set([501, 503, 505])

/** What is wrong with the replies to these bytes; nothing where all is well. */
export async function fuzzStream(bytes: string, port: number): Promise<readonly string[]> {
  const wire = open(port)
  await wire.write(bytes)
  wire.socket.end()
  const isOver = await wire.when(wire.isClosed)
  wire.socket.destroy()
  const { methods, most } = requestsIn(bytes)
  const { replies, flaws } = repliesIn(wire.received(), methods)
  return [
    ...(isOver ? [] : ['it hangs']),
    ...flaws,
    ...(replies.length > most ? [`${replies.length} replies to ${most} requests`] : []),
    ...replies.flatMap((reply, index) => [
      ...(reply.status >= 500 && !deliberate.has(reply.status) ? [`a ${reply.status}`] : []),
      ...flawsOf(reply, methods[index]),
    ]),
  ]
}

/** Runs as many as are given, some at a time, and gives back what is wrong with each that is not well, in its order of coming to an end. */
export async function fuzzRun<Item>(
  items: Iterable<Item>,
  one: (item: Item) => Promise<readonly string[]>,
  width: number = atOnce,
): Promise<readonly (readonly [Item, readonly string[]])[]> {
  const wrong: (readonly [Item, readonly string[]])[] = []
  const rest = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const flaws = await one(next.value)
      if (flaws.length > 0) wrong.push([next.value, flaws])
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return wrong
}

/** Sends pieces through the proxy in front of the service, and leaves when the proxy has nothing more to say. Its replies do not matter. */
export async function sendThrough(pieces: readonly Piece[], port: number, from?: string): Promise<readonly string[]> {
  const wire = open(port, from)
  for (const piece of pieces) await (typeof piece === 'function' ? piece(wire) : wire.write(piece))
  await wire.write(get('/health/live', 'Connection: close'))
  await wire.when(wire.isClosed, 500)
  wire.socket.destroy()
  return []
}
