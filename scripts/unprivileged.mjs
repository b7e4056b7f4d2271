// The user of servers that root starts: PostgreSQL refuses to run as root, and nginx would change its user.

/** Options for `spawn`: the user with id 65534 if this process is root, else none. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
