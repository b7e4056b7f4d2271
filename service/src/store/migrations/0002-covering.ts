/** The indexes of the colours hold whole colours, so that a page is read from its index alone, however many there are. */

import type { Migration } from './migration.ts'

const sqlite = `
DROP INDEX colors_by_hex;
DROP INDEX colors_by_rgb;
CREATE INDEX colors_by_hex ON colors (hex, name, red, green, blue);
CREATE INDEX colors_by_rgb ON colors (rgb, name, red, green, blue, hex);
`

/** PostgreSQL has had them so from the first. */
const postgres = ''

export const covering: Migration = Object.freeze({ version: 2, title: 'indexes that hold whole colours', sqlite, postgres })
