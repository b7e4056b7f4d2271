/** What goes in and out of a server, whatever carries the bytes: a few types and nothing else. */
export {}
