/** The public door of client. */
export {}
