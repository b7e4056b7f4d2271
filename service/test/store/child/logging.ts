/** Announces a deployment and logs some lines. Arguments: LEVEL COUNT. */

import { announce, createLog } from '../../../src/log.ts'
import { readSettings } from '../../../src/settings.ts'

const [level, count] = process.argv.slice(2)
const logger = createLog(readSettings({ LOG_LEVEL: level }).logLevel)
announce('main', 'http://127.0.0.1:8081')
for (let index = 0; index < Number(count); index += 1) logger.info({ url: '/a\nb\u2028\u001b[31m' }, 'request\nforged')
process.stderr.write('alive')
