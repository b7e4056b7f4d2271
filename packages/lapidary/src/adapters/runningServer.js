/** What every adapter that listens gives back. */
/** Where a server is, for whoever calls it; an address of IPv6 stands in brackets. */
export const formatServerUrl = (host, port) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
