-- Indexes that contain whole colours, so that a page is read from its index alone. PostgreSQL has had them since the first migration.
DROP INDEX colors_by_hex;
DROP INDEX colors_by_rgb;
CREATE INDEX colors_by_hex ON colors (hex, name, red, green, blue);
CREATE INDEX colors_by_rgb ON colors (rgb, name, red, green, blue, hex);
