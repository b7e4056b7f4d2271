// The user for servers that are started by root: PostgreSQL refuses to run as root, and nginx would change its user.

/** For `spawn`: the user without rights when this process is root, else no change. */
export const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
