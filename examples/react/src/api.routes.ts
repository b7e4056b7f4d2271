// Written by `lapidary routes --client`. `--check` says whether it is up to date.
import { events, json, multipart, none, optional, plain, withHeaders } from 'lapidary/light'

export const routes = {
  stones: {
    list: { route: 'GET /api/stones', query: { cursor: plain, limit: plain, sort: plain }, responses: [[200, withHeaders(json, { Link: optional(plain) })]] },
    one: { route: 'GET /api/stones/:id', headers: { 'If-Match': plain, 'If-None-Match': plain }, responses: [[200, withHeaders(json, { ETag: plain })]], errors: [[404, none], [304, withHeaders(none, { ETag: plain })], [412, none]] },
    rename: { route: 'PUT /api/stones/:id', headers: { 'If-Match': plain, 'If-None-Match': plain }, body: json, responses: [[204, none]], errors: [[404, none], [412, none], [428, none]] },
  },
  photo: { route: 'POST /api/photos', body: multipart({ photo: plain }), responses: [[200, json]] },
  prices: { route: 'GET /api/prices', headers: { 'Last-Event-ID': plain }, responses: [[200, events(false)]] },
} as const
