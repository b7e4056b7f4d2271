/** The default order of pages is by a field that they do not have. */
import { text } from 'lapidary'
import { cursorPagination } from 'lapidary/pagination'
import { z } from 'zod'

const Stone = z.object({ name: z.string() })

cursorPagination(Stone, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: '-size' })
