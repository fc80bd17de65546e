/** Recognises other file types by their first bytes, in a file that should be JSON. */
import type { FileSource } from './file-limits.ts';

/** Number of bytes that are examined: the names of a spreadsheet's first members are among them. */
const SAMPLE_BYTES = 4096;

/** Portuguese, with an article. */
const KINDS: readonly (readonly [name: string, isIt: (head: string) => boolean])[] = [
  ['um certificado ou uma chave em PEM', (head) => head.startsWith('-----BEGIN ')],
  ['um PDF', (head) => head.startsWith('%PDF-')],
  [
    'uma planilha ou um documento do Office',
    (head) => head.startsWith('PK') && (head.includes('[Content_Types].xml') || head.includes('_rels/.rels')),
  ],
  ['uma planilha ou um documento antigo do Office', (head) => head.startsWith('\u00D0\u00CF\u0011\u00E0')],
  ['uma planilha do LibreOffice', (head) => head.startsWith('PK') && head.includes('opendocument')],
  ['um arquivo gzip', (head) => head.startsWith('\u001F\u008B')],
  ['um arquivo 7-Zip', (head) => head.startsWith('7z\u00BC\u00AF')],
  ['um arquivo RAR', (head) => head.startsWith('Rar!')],
  ['um banco de dados SQLite', (head) => head.startsWith('SQLite format 3')],
  ['uma imagem', (head) => head.startsWith('\u0089PNG') || head.startsWith('\u00FF\u00D8\u00FF')],
  ['uma página HTML ou um XML', (head) => head.trimStart().startsWith('<')],
];

export async function lookAlike(source: FileSource): Promise<string | undefined> {
  const head = Buffer.from(await headOf(source)).toString('latin1');
  return KINDS.find(([, matches]) => matches(head))?.[0];
}

async function headOf(source: FileSource): Promise<Uint8Array> {
  if (typeof source !== 'string') return source.subarray(0, SAMPLE_BYTES);
  const { open } = await import('node:fs/promises'); // loaded with the first file
  await using file = await open(source, 'r');
  const { buffer, bytesRead } = await file.read(new Uint8Array(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}
