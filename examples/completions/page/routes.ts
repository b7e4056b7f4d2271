// Written by `lapidary routes --client`. `--check` says whether it is up to date.
import { events, json, ndjson, none, plain, withHeaders } from 'lapidary/light'

export const routes = {
  completions: {
    start: { route: 'POST /completions', body: json, responses: [[201, withHeaders(json, { Location: plain })]] },
    one: { route: 'GET /completions/:id', responses: [[200, json]], errors: [[404, none]] },
    events: { route: 'GET /completions/:id/events', headers: { 'Last-Event-ID': plain }, responses: [[200, events(true)], [204, none]], errors: [[404, none]] },
    cancel: { route: 'POST /completions/:id/cancel', responses: [[204, none]], errors: [[404, none]] },
    lines: { route: 'POST /completions/lines', body: json, responses: [[200, ndjson]] },
  },
} as const
