/**
 * What an upload costs: one form with a file of 1 GB to a server of lapidary and to one of node:http with busboy alone, which drops the file. CPU time and the
 * largest memory of the server's process: `npm run bench -- uploads [--megabytes 1000] [--results FOLDER]`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions } from './environment.mjs'
import { parseCount } from './log.mjs'
import { formatTable } from './report.mjs'
import { writeResults } from './results.mjs'

const servers = ['busboy', 'lapidary stream', 'lapidary multipart']
const megabyte = 1_000_000

/** Sends one form with a file of so many megabytes. @param {number} port @param {number} megabytes */
async function upload(port, megabytes) {
  const head = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: video/mp4\r\n\r\n')
  const end = Buffer.from('\r\n--b--\r\n')
  // No text: bytes of every kind, as a film has them.
  const piece = Buffer.from(Array.from({ length: megabyte }, (_, index) => Math.imul(index, 2_654_435_761) >>> 24))
  const socket = createConnection(port, '127.0.0.1')
  let response = ''
  socket.on('data', (text) => {
    response += text
  })
  const length = head.length + megabytes * megabyte + end.length
  const type = 'Content-Type: multipart/form-data; boundary=b'
  socket.write(`POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`)
  socket.write(head)
  for (let sent = 0; sent < megabytes; sent += 1) if (!socket.write(piece)) await once(socket, 'drain')
  socket.write(end)
  await once(socket, 'close')
  if (!/^HTTP\/1\.1 20[04] /.test(response)) throw new Error(`The response to the upload is ${response.slice(0, 200)}`)
}

/** @param {string} name @param {number} megabytes */
async function measureUpload(name, megabytes) {
  const child = fork(new URL('uploads/server.mjs', import.meta.url), [name], { stdio: 'inherit' })
  /** @returns {Promise<any>} the next message of the server */
  const receive = async () => (await once(child, 'message'))[0]
  const requestUsage = () => {
    const usage = receive()
    child.send('usage')
    return usage
  }
  const port = await receive()
  // The first upload compiles, and fills the allocator.
  await upload(port, 50)
  const before = await requestUsage()
  const start = performance.now()
  await upload(port, megabytes)
  const seconds = (performance.now() - start) / 1_000
  const after = await requestUsage()
  child.kill()
  return {
    name,
    cpu: after.cpu - before.cpu,
    seconds,
    memory: (after.peak - before.memory) / megabyte,
    left: (after.memory - before.memory) / megabyte,
  }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({
    args: [...words],
    options: { megabytes: { type: 'string', default: '1000' }, results: { type: 'string' } },
  })
  const megabytes = parseCount('megabytes', values.megabytes)
  const found = []
  for (const name of servers) found.push(await measureUpload(name, megabytes))
  const rows = found.map(({ name, cpu, seconds, memory, left }) => [
    name,
    cpu.toFixed(2),
    seconds.toFixed(2),
    memory.toFixed(0),
    left.toFixed(0),
  ])
  const environment = describeEnvironment(listVersions(['busboy', 'lapidary']))
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(formatTable([['server', 'CPU s', 'seconds', 'MB at most', 'MB left'], ...rows]))
  if (values.results !== undefined) writeResults(values.results, 'uploads', { about: { ...environment, megabytes }, summary: found })
}
