/** A page is made of something else than the content. */
import { content, html } from 'lapidary'
import { z } from 'zod'

export const page = content(z.object({ name: z.string() }), html((person: { readonly age: number }) => `${person.age}`))
