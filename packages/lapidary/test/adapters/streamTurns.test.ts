/** A response stream that never waits leaves time for everything else in its process. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { listens } from '../support/streamSockets.ts'

/** A client in a thread of its own, which reads as fast as it can: one in the same thread would make the stream wait. */
const clientCode = `
  const { connect } = require('node:net')
  const socket = connect(require('node:worker_threads').workerData, '127.0.0.1')
  socket.on('error', () => {}).resume()
  socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n')
`

test.each(listens)('timers run while a stream that never waits is sent, $name', async ({ listenOn }) => {
  let turns = 0
  let turnsOfStream = 0
  const counter = setInterval(() => {
    turns += 1
  }, 1)
  onTestFinished(() => clearInterval(counter))
  async function* restless(): AsyncGenerator<string> {
    const before = turns
    // More than the server writes without a turn of the event loop.
    for (let count = 0; turnsOfStream < 4 && count < 1_000_000; count += 1) {
      yield 'on and on'
      turnsOfStream = turns - before
    }
  }
  const { port, close } = await listenOn(() => ({ status: 200, headers: [], body: restless() }))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const client = new Worker(clientCode, { eval: true, workerData: port })
  await once(client, 'exit')
  expect(turnsOfStream).toBeGreaterThan(3)
})
