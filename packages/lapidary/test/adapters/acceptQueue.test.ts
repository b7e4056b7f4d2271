/** A busy server that closes: connections that wait in the accept queue are answered before it ends. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/matrix/adapters.ts'

const clients = 20

/** Connects and asks while the thread that serves stands still, tells it so, and then what came. */
const program = `
  const { connect } = require('node:net')
  const { parentPort, workerData: { port, clients, written } } = require('node:worker_threads')
  const one = () => new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (bytes) => { answer += bytes })
    socket.on('error', (error) => { answer += error.code })
    socket.on('close', () => resolve(answer.slice(0, 15)))
    socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => {
      Atomics.add(written, 0, 1)
      Atomics.notify(written, 0)
    })
  })
  Promise.all(Array.from({ length: clients }, one)).then((answers) => parentPort.postMessage(answers))
`

test('each connection that was accepted by the system before the close, and has sent its request, is answered', async () => {
  const listening = await listen(() => ({ status: 200, headers: [], body: 'here' }))
  // A client that is connected already: a server without clients does not wait at all.
  const guest = connect(listening.port, '127.0.0.1')
  onTestFinished(() => void guest.destroy())
  guest.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(guest, 'data')
  const written = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(program, { eval: true, workerData: { port: listening.port, clients, written } })
  onTestFinished(async () => void (await worker.terminate()))
  const responses = once(worker, 'message')
  await once(worker, 'online')
  // The close is near when this thread blocks until all have sent their requests, and due when it goes on: none has been accepted by then.
  const closed = listening.close({ drain: 50 })
  await new Promise(setImmediate)
  const end = performance.now() + 100
  for (let count = Atomics.load(written, 0); count < clients; count = Atomics.load(written, 0)) Atomics.wait(written, 0, count, 5_000)
  while (performance.now() < end);
  await closed
  expect(await responses).toEqual([Array(clients).fill('HTTP/1.1 200 OK')])
})
