/** One server of `uploads.mjs`, in a process of its own: `busboy`, `lapidary stream` or `lapidary multipart`. It drops what it reads. */
import { createServer } from 'node:http'
import busboy from 'busboy'
import { byteStream, endpoint, file, multipart, noContent } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'

const maxBodySize = '100 GB'

/** @type {Readonly<Record<string, () => Promise<number>>>} The port of each. */
const starts = {
  busboy: () =>
    new Promise((resolve) => {
      const server = createServer((request, response) => {
        const parser = busboy({ headers: request.headers })
        parser.on('file', (_name, stream) => stream.resume())
        parser.on('close', () => response.writeHead(204).end())
        request.pipe(parser)
      })
      server.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port))
    }),
  'lapidary stream': async () => {
    const api = { upload: endpoint('POST /upload', { body: byteStream('multipart/form-data'), response: noContent, maxBodySize }) }
    const server = serve(api, {
      upload: async ({ body }) => {
        for await (const _ of body);
      },
    })
    return (await listen(server, { requestTimeout: 600_000 })).port
  },
  // Its files are on a disk before the handler runs.
  'lapidary multipart': async () => {
    const api = { upload: endpoint('POST /upload', { body: multipart({ file: file() }), response: noContent, maxBodySize }) }
    return (await listen(serve(api, { upload: () => {} }), { requestTimeout: 600_000 })).port
  },
}

const port = await starts[process.argv[2] ?? '']?.()
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: (user + system) / 1e6, memory: process.memoryUsage.rss(), peak })
})
process.send?.(port)
