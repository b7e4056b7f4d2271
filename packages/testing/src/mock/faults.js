import { encodeUtf8, mockDetail } from 'lapidary/internal'
import { createDeclaredError, drawFraction } from './responses.js'

/** What a cut answer ends with. */
class ResponseCut extends Error {
  name = 'ResponseCut'
}
const waitOneTick = () => new Promise((resolve) => void setTimeout(resolve, 1))
/** Half of the first piece of a body, and no end. */
async function* cutInHalf(body) {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? encodeUtf8(piece) : piece
    yield bytes.subarray(0, bytes.length >> 1)
    // What is sent in the same go as the end of the connection would not arrive.
    await waitOneTick()
    break
  }
  throw new ResponseCut(mockDetail.unavailable())
}
/** Compiles the faults of a mock. */
export function createFaultInjector(faults = {}, seed) {
  const cut = new WeakSet()
  let isCutting = false
  function failing(name, endpoint, handle) {
    const { unavailable = 0, cut: severed = 0 } = faults.at?.[name] ?? faults
    if (unavailable === 0 && severed === 0) return handle
    isCutting ||= severed > 0
    let count = 0
    return (given, incoming) => {
      count += 1
      if (drawFraction(seed, name, 'unavailable', count) < unavailable)
        throw createDeclaredError(endpoint, 503, { detail: mockDetail.unavailable(), headers: { 'Retry-After': '1' } })
      if (drawFraction(seed, name, 'cut', count) < severed) cut.add(incoming)
      return handle(given, incoming)
    }
  }
  const cutting = (kernel) =>
    isCutting
      ? async (incoming) => {
          const outgoing = await kernel(incoming)
          return outgoing.body === null || !cut.has(incoming) ? outgoing : { ...outgoing, body: cutInHalf(outgoing.body) }
        }
      : kernel
  return { failHandler: failing, cutResponses: cutting }
}
/** The same kernel, each of whose answers is waited for. */
export function withDelay(kernel, { min: least, max: most }, seed) {
  let count = 0
  return async (incoming) => {
    count += 1
    const time = least + drawFraction(seed, 'delay', count) * (most - least)
    await new Promise((resolve) => void setTimeout(resolve, time))
    return kernel(incoming)
  }
}
