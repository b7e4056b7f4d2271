/**
 * Basic credentials in UTF-8, as servers of Lapidary ask for them (RFC 7617 §2.1). Swagger UI encodes them by `btoa`, which takes Latin-1 alone.
 * It keeps the function that is there when it is loaded, so this module is loaded before it.
 */

const encodeBytes = globalThis.btoa.bind(globalThis)

// For ASCII the result is the same.
globalThis.btoa = (text) => encodeBytes(String.fromCharCode(...new TextEncoder().encode(text)))
