/** Downloads of a large static file, for tests of what happens while one runs. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { folderOfTest } from './service.ts'

/** More than the buffers of sockets hold. */
export const largeFileSize = 50_000_000

/** A working directory for one test, with a sparse file at `/static/large.bin`. */
export function folderWithLargeFile(): string {
  const folder = folderOfTest()
  const file = join(folder, 'static-files', 'large.bin')
  mkdirSync(join(folder, 'static-files'))
  writeFileSync(file, '')
  truncateSync(file, largeFileSize)
  return folder
}

/** Resolves when the headers have arrived. The body is paused. */
export async function download(base: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${base}/static/large.bin`, { agent: false }, resolve).on('error', reject).end(),
  )
  // The service may abort the response. `readToEnd` reports that.
  response.on('error', () => {})
  return response.pause()
}

/** Reads the body to its end: the number of bytes, and whether that is all of it. */
export const readToEnd = (response: IncomingMessage): Promise<{ readonly bytes: number; readonly complete: boolean }> =>
  new Promise((resolve) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.once('close', () => resolve({ bytes, complete: response.complete }))
    response.resume()
  })
