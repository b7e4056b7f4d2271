import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import superjson from 'superjson'
import type { AppRouter } from './app.ts'

const url = `http://127.0.0.1:${process.env['PORT']}/trpc`
const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url, transformer: superjson })] })

const stone = await client.stones.one.query({ id: 1 })
process.stdout.write(`${stone.name} ${stone.cutAt.getUTCFullYear()}\n`)

try {
  await client.stones.one.query({ id: 9 })
} catch (error) {
  if (!(error instanceof TRPCClientError)) throw error
  process.stdout.write(`${error.data.httpStatus}\n`)
}
