/** A contract of 30 routes with all that contracts have: a gallery with its rooms, works, visitors and files. */
import { initContract } from '@ts-rest/core'
import { z as zod4 } from 'zod'

/**
 * Makes the contract.
 *
 * @param z zod 3 or zod 4: they share what is used here
 * @param c of any version of ts-rest
 */
export function createGallery(z: typeof zod4, c: ReturnType<typeof initContract>) {
  const Work = z.object({
    id: z.number().int(),
    title: z.string().min(1).max(80),
    kind: z.enum(['painting', 'sculpture', 'print']),
    year: z.number().int().min(1000).max(2100).nullable(),
    tags: z.array(z.string()).max(10),
    price: z.number().multipleOf(0.5).optional(),
    soldAt: z.string().datetime().optional(),
  })
  const NewWork = Work.omit({ id: true, soldAt: true })
  const Problem = z.object({ message: z.string() })
  const Visitor = z.object({ id: z.string().uuid(), email: z.string().email(), name: z.string(), language: z.string().default('en') })
  const Page = z.object({ page: z.coerce.number().int().min(1).default(1), size: z.coerce.number().int().max(100).optional() })
  const Note = z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('score'), score: z.number().min(0).max(5) }),
  ])

  const works = c.router(
    {
      list: {
        method: 'GET',
        path: '/',
        query: Page.extend({ kind: z.enum(['painting', 'sculpture', 'print']).optional(), tag: z.array(z.string()).optional() }),
        responses: { 200: z.object({ works: z.array(Work), total: z.number().int() }) },
        summary: 'All works',
        metadata: { roles: ['guest'], cacheSeconds: 60 },
      },
      get: { method: 'GET', path: '/:id', pathParams: z.object({ id: z.coerce.number().int() }), responses: { 200: Work, 404: Problem } },
      create: { method: 'POST', path: '/', body: NewWork, responses: { 201: Work, 409: Problem }, metadata: { roles: ['keeper'] } },
      replace: {
        method: 'PUT',
        path: '/:id',
        pathParams: z.object({ id: z.coerce.number().int() }),
        body: NewWork,
        responses: { 200: Work, 201: Work, 404: Problem },
      },
      change: {
        method: 'PATCH',
        path: '/:id',
        pathParams: z.object({ id: z.coerce.number().int() }),
        body: NewWork.partial(),
        responses: { 200: Work },
      },
      remove: {
        method: 'DELETE',
        path: '/:id',
        pathParams: z.object({ id: z.coerce.number().int() }),
        body: c.noBody(),
        responses: { 204: c.noBody(), 404: Problem },
      },
      photo: {
        method: 'POST',
        path: '/:id/photo',
        contentType: 'multipart/form-data',
        body: z.object({
          caption: z.string(),
          order: z.coerce.number().int().optional(),
          photo: z.custom<File>((value) => value instanceof Blob),
        }),
        responses: { 200: z.object({ size: z.number(), caption: z.string(), order: z.number().optional() }) },
      },
      label: { method: 'GET', path: '/:id/label', responses: { 200: c.otherResponse({ contentType: 'text/html', body: z.string() }) } },
      csv: {
        method: 'GET',
        path: '/export/csv',
        responses: { 200: c.otherResponse({ contentType: 'text/csv', body: z.string() }), 202: c.noBody() },
      },
      thumbnail: {
        method: 'GET',
        path: '/:id/thumbnail',
        responses: { 200: c.otherResponse({ contentType: 'image/png', body: c.type<Uint8Array>() }) },
      },
    },
    { pathPrefix: '/works', commonResponses: { 403: Problem }, metadata: { area: 'works' }, strictStatusCodes: true },
  )

  const visitors = c.router({
    list: {
      method: 'GET',
      path: '/visitors',
      query: z.object({ search: z.string().optional(), active: z.coerce.boolean().optional() }),
      responses: { 200: z.array(Visitor) },
    },
    get: {
      method: 'GET',
      path: '/visitors/:id',
      pathParams: z.object({ id: z.string().uuid() }),
      responses: { 200: Visitor, 404: z.null() },
    },
    create: { method: 'POST', path: '/visitors', body: Visitor.omit({ id: true }), responses: { 201: Visitor } },
    subscribe: {
      method: 'POST',
      path: '/visitors/subscribe',
      contentType: 'application/x-www-form-urlencoded',
      body: z.object({ email: z.string().email(), weekly: z.enum(['yes', 'no']) }),
      responses: { 200: z.object({ email: z.string(), weekly: z.string() }) },
    },
    visits: {
      method: 'GET',
      path: '/visitors/:id/visits',
      query: z.object({ from: z.coerce.date(), until: z.coerce.date().optional() }),
      responses: { 200: z.object({ visits: z.array(z.object({ at: z.date(), room: z.string() })) }) },
    },
    visit: {
      method: 'POST',
      path: '/visitors/:id/visits',
      body: z.object({ at: z.coerce.date(), room: z.string() }),
      responses: { 201: z.object({ at: z.date() }) },
    },
  })

  const notes = c.router({
    list: { method: 'GET', path: '/notes', responses: { 200: z.array(Note) } },
    create: { method: 'POST', path: '/notes', body: Note, responses: { 201: Note } },
    trimmed: {
      method: 'POST',
      path: '/notes/trimmed',
      body: z.object({ text: z.string().transform((text) => text.trim()) }),
      responses: { 200: z.object({ text: z.string() }) },
    },
    search: {
      method: 'GET',
      path: '/notes/search',
      query: z.object({ ids: z.array(z.coerce.number()), filter: z.object({ owner: z.string() }).optional() }),
      responses: { 200: z.object({ ids: z.array(z.number()), owner: z.string().optional() }) },
    },
    counts: { method: 'GET', path: '/notes/counts', responses: { 200: z.record(z.string(), z.number()) } },
    position: { method: 'GET', path: '/notes/position', responses: { 200: z.tuple([z.number(), z.number()]) } },
    strict: {
      method: 'POST',
      path: '/notes/strict',
      body: z.object({ a: z.string() }).strict(),
      responses: { 200: z.object({ a: z.string() }).passthrough() },
    },
    any: {
      method: 'POST',
      path: '/notes/any',
      body: c.type<{ readonly free: string }>(),
      responses: { 200: c.type<{ readonly free: string }>(), 500: c.type<{ readonly why: string }>() },
    },
  })

  const admin = c.router({
    session: {
      method: 'GET',
      path: '/admin/session',
      headers: z.object({ authorization: z.string() }),
      responses: { 200: z.object({ token: z.string() }), 401: Problem },
    },
    audit: {
      method: 'GET',
      path: '/admin/audit',
      headers: z.object({ 'x-trace': z.string(), 'x-level': z.coerce.number().optional() }),
      responses: { 200: z.object({ trace: z.string(), level: z.number().optional() }) },
    },
    reset: {
      method: 'POST',
      path: '/admin/reset',
      body: z.object({ hard: z.boolean() }).optional(),
      responses: { 202: z.object({ hard: z.boolean() }), 503: Problem },
      deprecated: true,
    },
    health: {
      method: 'GET',
      path: '/health',
      responses: { 200: c.otherResponse({ contentType: 'text/plain', body: z.string() }) },
      description: 'Whether it works.',
    },
    pets: {
      method: 'POST',
      path: '/pets/:kind/:name',
      pathParams: z.object({ kind: z.enum(['cat', 'dog']) }),
      body: null,
      responses: { 200: z.object({ kind: z.string(), name: z.string() }) },
    },
    intersection: {
      method: 'GET',
      path: '/both',
      responses: { 200: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })) },
    },
  })

  return { contract: c.router({ works, visitors, notes, admin }), Work, Visitor }
}

export const { contract, Work, Visitor } = createGallery(zod4, initContract())
