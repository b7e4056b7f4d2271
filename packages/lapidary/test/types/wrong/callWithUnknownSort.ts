/** A call asks for an order that the pages do not have. */
import { endpoint, text } from 'lapidary'
import { client } from 'lapidary/client'
import { cursorPagination } from 'lapidary/pagination'
import { z } from 'zod'

const Stone = z.object({ name: z.string() })
const pages = cursorPagination(Stone, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })

client({ stones: endpoint('GET /stones', { ...pages.declaration }) }, 'http://127.0.0.1:8081').stones({ query: { sort: 'size' } })
