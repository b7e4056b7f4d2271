/**
 * A greeting and a list of 100 users from SQLite, each at two paths, one of them behind Basic authentication as the service has it: accounts in SQLite,
 * remembered credentials. On its second port the same is watched as the service is: a line in a log for each request, in a file, and metrics.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basic, endpoint, list, ok } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, serve } from 'lapidary/server'
import { destination, pino, stdTimeFunctions } from 'pino'
import { z } from 'zod'
import { createVerifier } from '../../service/dist/accounts/credentials.js'
import { hashPassword } from '../../service/dist/accounts/password.js'
import { normalizeText } from '../../service/dist/accounts/rules.js'
import { bufferedLog } from '../../service/dist/log.js'
import { createMetrics } from '../../service/dist/observability/metrics.js'
import { observeRequests } from '../../service/dist/observability/requests.js'
import { openStore } from '../../service/dist/store/store.js'
import { greeting } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'
import { rows } from '../servers/sqlite.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lapidary-authentication-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { accounts } = await openStore(`sqlite:${join(folder, 'service.db')}`)
await accounts.put(normalizeText('ann'), await hashPassword('correct horse battery staple'))

const people = basic('people')
const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.string() })
const response = ok(list(User))
const api = {
  hello: endpoint('GET /hello', { response: ok(z.object({ msg: z.string() })) }),
  helloPeople: endpoint('GET /people/hello', { auth: people, response: ok(z.object({ msg: z.string() })) }),
  sqlite: endpoint('GET /sqlite', { response }),
  sqlitePeople: endpoint('GET /people/sqlite', { auth: people, response }),
}
const hello = () => greeting('Ann')
const verify = createVerifier(accounts)
const handler = serve(
  api,
  { hello, helloPeople: hello, sqlite: () => rows.users(), sqlitePeople: () => rows.users() },
  { auth: [authenticate(people, (credentials, { remoteAddress: remote }) => verify(credentials, remote))] },
)
const log = pino({ timestamp: stdTimeFunctions.isoTime }, bufferedLog(destination({ dest: join(folder, 'log'), sync: true })))
const observedServer = await listen(observeRequests(handler, 'main', { log, metrics: createMetrics() }))
const { port } = await listen(handler)
ready(port, { observed: observedServer.port })
