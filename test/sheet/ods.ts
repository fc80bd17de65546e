/** A spreadsheet as LibreOffice writes it: a zip that begins with its media type, uncompressed. */
import { strToU8, zipSync } from 'fflate';

const MEDIA_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';
const VERSION = 'office:version="1.3"';
const OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"';
const TABLE = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"';
const TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"';
const MANIFEST = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"';

export function odsOf(rows: readonly (readonly string[])[]): Uint8Array {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: readonly string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`;
  const content = `<?xml version="1.0" encoding="UTF-8"?>
<office:document-content ${OFFICE} ${TABLE} ${TEXT} ${VERSION}><office:body><office:spreadsheet><table:table table:name="Planilha1">${rows.map(row).join('')}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>
<manifest:manifest ${MANIFEST} manifest:version="1.3">${entry('/', MEDIA_TYPE)}${entry('content.xml', 'text/xml')}</manifest:manifest>`;
  return zipSync({
    mimetype: [strToU8(MEDIA_TYPE), { level: 0 }],
    'content.xml': strToU8(content),
    'styles.xml': strToU8(`<office:document-styles ${OFFICE} ${VERSION}/>`),
    'META-INF/manifest.xml': strToU8(manifest),
  });
}
