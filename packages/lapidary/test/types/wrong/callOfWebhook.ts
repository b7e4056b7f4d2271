import { text, webhook } from 'lapidary'
import { client } from 'lapidary/client'

const call = client({ gone: webhook('gone', { body: text }) }, 'http://127.0.0.1:8081')
await call.gone({ body: 'order 7' })
