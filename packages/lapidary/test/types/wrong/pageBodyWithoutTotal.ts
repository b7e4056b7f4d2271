/** The body of numbered pages has no name for the total. */
import { pagePagination } from 'lapidary/pagination'
import { z } from 'zod'

pagePagination(z.object({ name: z.string() }), { body: { items: 'items' } })
