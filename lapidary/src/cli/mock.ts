/** `lapidary mock ./src/api.ts --port 8081`: a server of nothing but the description, until it is interrupted. */
import type { Command } from 'commander'
import type { Listening } from '../carriers/listening.ts'
import { listen } from '../carriers/node.ts'
import { printableLine } from '../describe/printable.ts'
import * as usage from '../describe/usage.ts'
import { mock as mockKernel } from '../mock/mock.ts'
import type { Delay, LooseOptions } from '../mock/options.ts'
import type { Kernel } from '../server/kernel.ts'
import { adopted, adoptedError } from './adopted.ts'
import { type ApiOptions, aboutApi, wholeNumber } from './command.ts'
import { exportedApi } from './exportedApi.ts'
import { complained, Mistake, reasonOf } from './mistake.ts'
import { imported } from './module.ts'
import { type Screen, type Surroundings, written } from './surroundings.ts'

interface Options extends ApiOptions {
  readonly port: string
  readonly host: string
  readonly seed: string
  readonly delay?: string
  readonly unavailable?: string
  readonly cut?: string
}

/** `50-300`, or `100` for exactly that. */
function delayIn(text: string): Delay {
  const [, least = '', most = least] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? []
  if (least === '' || Number(most) < Number(least)) throw new Mistake(2, usage.delay(text))
  return { least: Number(least), most: Number(most) }
}

function partIn(name: string, text = '0'): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 1) return number
  throw new Mistake(2, usage.part(name, text))
}

const optionsOf = ({ seed, delay, unavailable, cut }: Options): LooseOptions => ({
  seed: wholeNumber('--seed', seed),
  faults: { unavailable: partIn('--unavailable', unavailable), cut: partIn('--cut', cut) },
  ...(delay === undefined ? {} : { delay: delayIn(delay) }),
})

/** The same kernel, which writes a line of each request when its answer has ended. */
const told =
  (kernel: Kernel, screen: Screen): Kernel =>
  (incoming) => {
    const { method, target } = incoming
    const began = performance.now()
    incoming.onEnd(({ status, how }) => {
      const end = how === 'sent' ? '' : ` (${how})`
      // Whoever has closed the screen misses nothing that matters.
      screen.write(`${method} ${printableLine(target)} ${status} ${Math.round(performance.now() - began)} ms${end}\n`)
    })
    return kernel(incoming)
  }

/** Listens. @throws Mistake where it cannot. */
async function listening(kernel: Kernel, host: string, port: number): Promise<Listening> {
  try {
    return await listen(kernel, { host, port })
  } catch (error) {
    const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE'
    throw new Mistake(1, isTaken ? usage.portTaken(host, port) : usage.notListening(host, port, reasonOf(error)), { cause: error })
  }
}

/** Adds the command. */
export function mock(program: Command, { folder, output, stopped }: Surroundings): void {
  aboutApi(program, 'mock', 'Serves an API of nothing but its description, until it is interrupted.')
    .option('--port <number>', 'where to listen; 0 is any free one', '8081')
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--seed <number>', 'the same seed gives the same answers', '1')
    .option('--delay <least-most>', 'milliseconds that each answer is waited for: 50-300')
    .option('--unavailable <part>', 'the part of the requests that are answered 503: 0.05')
    .option('--cut <part>', 'the part of the answers that are cut off: 0.01')
    .action(async (name: string, options: Options) => {
      const port = wholeNumber('--port', options.port, 65_535)
      const settings = optionsOf(options)
      // The module may have a copy of this package of its own.
      const api = adopted(exportedApi(await imported(name, folder), options.export))
      const kernel = await complained(1, () => mockKernel(api, { ...settings, translate: adoptedError } as object))
      const { url, close } = await listening(output.isTTY === true ? told(kernel, output) : kernel, options.host, port)
      // Whoever reads the line may end this at once.
      const stop = stopped()
      try {
        await written(output, `listening on ${url} (seed ${settings.seed})\n`)
        await stop
      } finally {
        await close({ drain: 0, grace: 1_000 })
      }
    })
}
