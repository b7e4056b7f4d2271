/** A process that `run` runs. Its arguments are JSON: how it starts, and what goes wrong in it. It prints its URLs, and what happens. */
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { bytes, endpoint, noContent, ok, text } from 'lapidary'
import { listen, run } from 'lapidary/node'
import { serve } from 'lapidary/server'

const {
  mode = 'handler',
  port = 0,
  host,
  onClose,
  uncaught,
  twice,
  tell = true,
  hangs,
  reportTime,
  ...options
} = JSON.parse(process.argv[2] ?? '{}')
const print = (line) => process.stdout.write(`${line}\n`)
process.on('exit', (code) => print(`exit ${code}`))

const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  slow: endpoint('GET /slow', { response: ok(text) }),
  stream: endpoint('GET /stream', { response: ok(bytes) }),
  fail: endpoint('POST /fail', { response: noContent }),
}
const handlers = {
  hello: () => 'Hello',
  slow: async () => {
    print('slow')
    await sleep(700)
    return 'done'
  },
  stream: async function* stream() {
    for (let index = 0; index < 10; index += 1) {
      yield new TextEncoder().encode(`${index}\n`)
      await sleep(100)
    }
  },
  fail: () => {
    if (uncaught === 'rejection') void Promise.reject(new Error('planted rejection'))
    else
      setTimeout(() => {
        throw new Error('planted error')
      })
  },
}
const server = serve(api, handlers)

const closeFunctions = {
  works: async () => {
    print('first closes')
    await sleep(20)
    print('first closed')
  },
  second: () => print('second closed'),
  fails: () => {
    throw new Error('planted failure')
  },
  never: () => new Promise(() => {}),
}
const leave = new AbortController()
const all = {
  ...options,
  ...(onClose && { onClose: onClose.map((name) => closeFunctions[name]) }),
  ...(tell && { onClosing: ({ signal, error, reason }) => print(`closing ${signal ?? reason ?? error.message}`) }),
  ...(reportTime !== undefined && {
    onFailure: async (error, moment) => {
      await sleep(reportTime)
      print(`${moment} ${error.message}`)
    },
  }),
  ...(hangs && { [hangs]: closeFunctions.never }),
  signal: leave.signal,
}
if (mode !== 'cluster') process.on('message', (message) => message === 'leave' && leave.abort('told to leave'))

if (mode === 'cluster' && cluster.isPrimary) {
  for (let count = 0; count < 2; count += 1) cluster.fork()
  let listening = 0
  cluster.on('listening', (_worker, address) => {
    listening += 1
    if (listening === 2) print(`http://127.0.0.1:${address.port}`)
  })
  const codes = []
  cluster.on('exit', (_worker, code) => {
    codes.push(code)
    if (codes.length === 2) print(`codes ${codes}`)
  })
  process.once('SIGTERM', () => cluster.disconnect())
} else {
  if (mode === 'handler' || mode === 'cluster') {
    const running = await run(server, { port, ...(host && { host }), ...all })
    if (mode === 'handler') print(running.url)
  } else if (mode === 'list') {
    const running = await run([listen(server), listen(server, { port, ...(host && { host }) })], all)
    for (const { url } of running) print(url)
  } else if (mode === 'slowStart') {
    const start = async () => {
      // By then, signals have their handlers.
      await sleep(50)
      print('starting')
      await sleep(500)
      return listen(server)
    }
    await run(start(), all)
    print('started')
  } else print((await run(listen(server, { port }), all)).url)
  if (twice) await run(server).catch((error) => print(error.message))
}
