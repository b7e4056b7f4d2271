/** Indexes that contain whole colours, so that a page is read from its index alone. */

const sqlite = `
DROP INDEX colors_by_hex;
DROP INDEX colors_by_rgb;
CREATE INDEX colors_by_hex ON colors (hex, name, red, green, blue);
CREATE INDEX colors_by_rgb ON colors (rgb, name, red, green, blue, hex);
`

// PostgreSQL has had such indexes since the first migration.
export const coveringIndexes = Object.freeze({ version: 2, title: 'indexes that hold whole colours', sqlite, postgres: '' })
