/** The kind of a framework, by which its bar is coloured. */

/** @param {import('../frameworks.mjs').Framework} framework */
export const getKind = ({ packages, runtime }) => (packages.includes('lapidary') ? 'Lapidary' : runtime === 'bun' ? 'Bun' : 'Node.js')
