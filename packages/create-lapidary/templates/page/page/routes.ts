// Written by `lapidary routes --client`. `--check` says whether it is up to date.
import { json, none, optional, plain, withHeaders } from 'lapidary/light'

export const routes = {
  stones: {
    all: { route: 'GET /stones', query: { cursor: plain, limit: plain, sort: plain }, responses: [[200, withHeaders(json, { Link: optional(plain) })]] },
    one: { route: 'GET /stones/:id', headers: { 'If-Match': plain, 'If-None-Match': plain }, responses: [[200, withHeaders(json, { ETag: plain })]], errors: [[404, none], [304, withHeaders(none, { ETag: plain })], [412, none]] },
    add: { route: 'POST /stones', body: json, responses: [[201, withHeaders(json, { Location: plain })]] },
    change: { route: 'PUT /stones/:id', headers: { 'If-Match': plain, 'If-None-Match': plain }, body: json, responses: [[200, json]], errors: [[404, none], [412, none]] },
    remove: { route: 'DELETE /stones/:id', headers: { 'If-Match': plain, 'If-None-Match': plain }, responses: [[204, none]], errors: [[404, none], [412, none]] },
  },
} as const
