import express from 'express'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = express()
app.use(express.json())
app.use(toNodeListener(server))
app.listen(Number(process.env['PORT']), '127.0.0.1')
