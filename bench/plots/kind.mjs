/** How a contestant is coloured. */

/** @param {import('../contestants.mjs').Contestant} contestant */
export const kindOf = ({ packages, runtime }) => (packages.includes('lapidary') ? 'Lapidary' : runtime === 'bun' ? 'Bun' : 'Node.js')
