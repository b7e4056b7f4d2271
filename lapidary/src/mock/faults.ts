/** What goes wrong by intent, and how long answers take: the same requests in the same order meet the same. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { mocked } from '../describe/message.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import type { Incoming, Kernel, OutgoingBody } from '../server/kernel.ts'
import { part } from './draw.ts'
import type { Handle } from './handle.ts'
import type { Delay, LooseOptions } from './options.ts'
import { declared } from './raising.ts'

/** What a cut answer ends with. */
class Cut extends Error {
  override readonly name = 'Cut'
}

const turn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1))

/** Half of the first piece of a body, and no end. */
async function* halfOf(body: Exclude<OutgoingBody, null>): AsyncGenerator<Uint8Array> {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? utf8Encoded(piece) : piece
    yield bytes.subarray(0, bytes.length >> 1)
    // What is sent in the same go as the end of the connection would not arrive.
    await turn()
    break
  }
  throw new Cut(mocked.unavailable())
}

/** Faults, and the kernel that carries them out. */
export interface Faulty {
  /** The same handler, which fails as often as it was asked to. @throws HttpError 503 */
  readonly failing: (name: string, endpoint: AnyEndpoint, handle: Handle) => Handle
  /** The same kernel, which cuts the answers of those handlers. */
  readonly cutting: (kernel: Kernel) => Kernel
}

/** Compiles the faults of a mock. */
export function faulty(faults: LooseOptions['faults'] = {}, seed: number): Faulty {
  const cut = new WeakSet<Incoming>()
  let isCutting = false

  function failing(name: string, endpoint: AnyEndpoint, handle: Handle): Handle {
    const { unavailable = 0, cut: severed = 0 } = faults.at?.[name] ?? faults
    if (unavailable === 0 && severed === 0) return handle
    isCutting ||= severed > 0
    let count = 0
    return (given, incoming) => {
      count += 1
      if (part(seed, name, 'unavailable', count) < unavailable)
        throw declared(endpoint, 503, { detail: mocked.unavailable(), headers: { 'Retry-After': '1' } })
      if (part(seed, name, 'cut', count) < severed) cut.add(incoming)
      return handle(given, incoming)
    }
  }

  const cutting = (kernel: Kernel): Kernel =>
    isCutting
      ? async (incoming) => {
          const outgoing = await kernel(incoming)
          return outgoing.body === null || !cut.has(incoming) ? outgoing : { ...outgoing, body: halfOf(outgoing.body) }
        }
      : kernel

  return { failing, cutting }
}

/** The same kernel, each of whose answers is waited for. */
export function delayed(kernel: Kernel, { least, most }: Delay, seed: number): Kernel {
  let count = 0
  return async (incoming) => {
    count += 1
    const time = least + part(seed, 'delay', count) * (most - least)
    await new Promise((resolve) => void setTimeout(resolve, time))
    return kernel(incoming)
  }
}
