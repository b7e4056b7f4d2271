/** Starts the server. Its settings are `PORT`, `DATABASE` and `PASSWORD`. */
import { run } from 'lapidary/node'
import { openDatabase } from './database.ts'
import { createServer } from './server.ts'

const { PORT = '3000', DATABASE = 'books.db', PASSWORD = 'shh' } = process.env
const database = openDatabase(DATABASE)
const { url } = await run(createServer(database, PASSWORD), { port: Number(PORT), onClose: [() => database.destroy()] })
process.stdout.write(`${url}/books\n`)
