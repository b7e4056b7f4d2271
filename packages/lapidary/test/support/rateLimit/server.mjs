// A server with a quota of 100 requests in 60 s: `node server.mjs WORKERS [sqlite:FILE | postgres://…]`. It prints its port.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import { endpoint, ok, text } from 'lapidary'
import { kyselyRateLimitStore } from 'lapidary/kysely'
import { memoryRateLimitStore, rateLimit } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { Pool } from 'pg'

const [, , workers = '1', url = ''] = process.argv

function createDialect() {
  if (url.startsWith('postgres:')) return new PostgresDialect({ pool: new Pool({ connectionString: url, max: 4 }) })
  const opened = new DatabaseSync(url.replace('sqlite:', ''))
  opened.exec('pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = off')
  const prepare = (sql) => {
    const statement = opened.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...values),
      run: (values) => statement.run(...values),
      iterate: (values) => statement.iterate(...values),
    }
  }
  return new SqliteDialect({ database: { prepare, close: () => opened.close() } })
}

async function work() {
  const store = url === '' ? memoryRateLimitStore() : kyselyRateLimitStore(new Kysely({ dialect: createDialect() }))
  const policy = { name: 'default', quota: 100, window: 60 }
  const api = { hello: endpoint('GET /hello', { response: ok(text), rateLimit: policy }) }
  const server = serve(api, { hello: () => 'Hello' }, { middleware: [rateLimit({ store, storeTimeout: 30_000 })] })
  return listen(server, { port: 0 })
}

const print = (port) => void process.stdout.write(`${port}\n`)
if (workers === '1') print((await work()).port)
else if (cluster.isPrimary) {
  // All workers get the same free port.
  const forked = Array.from({ length: Number(workers) }, () => cluster.fork())
  const [[port]] = await Promise.all(forked.map((worker) => once(worker, 'message')))
  print(port)
  process.once('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    process.exit()
  })
} else process.send?.((await work()).port)
