/** The methods that an endpoint can have: those of Node's parser but HEAD, OPTIONS, CONNECT and TRACE. */
const methods: ReadonlySet<string> = new Set(
  (
    'GET QUERY POST PUT PATCH DELETE ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND ' +
    'PROPPATCH PURGE REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
  ).split(' '),
)

/** Whether requests with this method get to a handler on every platform. Node answers any other with 400. */
export const isPortableMethod = (method: string): boolean => methods.has(method)
