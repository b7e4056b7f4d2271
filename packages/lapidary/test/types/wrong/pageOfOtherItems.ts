/** A handler makes pages of items of another type. */
import { endpoint } from 'lapidary'
import { pagePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const pages = pagePagination(z.object({ name: z.string() }))
const api = { stones: endpoint('GET /stones', { ...pages.declaration }) }

serve(api, { stones: (input) => pages.page(input, [{ size: 7 }]) })
