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
import { destination, pino } from 'pino'
import { z } from 'zod'
import { verifier } from '../../service/dist/accounts/credentials.js'
import { accountName } from '../../service/dist/accounts/name.js'
import { hash } from '../../service/dist/accounts/password.js'
import { gathered } from '../../service/dist/gathered.js'
import { timestamp } from '../../service/dist/log.js'
import { logged } from '../../service/dist/logged.js'
import { metrics } from '../../service/dist/observe/metrics.js'
import { observed } from '../../service/dist/observe/observed.js'
import { open } from '../../service/dist/store/open.js'
import { greeting } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'
import { rows } from '../servers/sqlite.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lapidary-authentication-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const { accounts } = await open(`sqlite:${join(folder, 'service.db')}`)
await accounts.put(accountName('ann'), await hash('correct horse battery staple'))

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
const verify = verifier(accounts)
const kernel = serve(
  api,
  { hello, helloPeople: hello, sqlite: () => rows.users(), sqlitePeople: () => rows.users() },
  { auth: [authenticate(people, (credentials, { remoteAddress: remote }) => verify(credentials, remote))] },
)
const log = pino({ timestamp }, gathered(destination({ dest: join(folder, 'log'), sync: true })))
const watched = await listen(observed(kernel, 'main', [logged(log), metrics().observer]))
const { port } = await listen(kernel)
ready(port, { watched: watched.port })
