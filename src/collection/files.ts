/** Writes the collections as files for download. */
import { strToU8, zipSync } from 'fflate';
import { brunoFiles } from './bruno.ts';
import type { CollectionKind } from './kinds.ts';
import { postmanText } from './postman.ts';
import { type Collection, type ReadDocument, type Values, collectionOf } from './requests.ts';

interface CollectionFile {
  readonly file: string;
  readonly type: string;
  readonly isText: boolean;
  readonly bytes: (collection: Collection) => Uint8Array<ArrayBuffer>;
}

/** A fixed time stamp, so that the same content gives the same bytes. */
const MADE_AT = '2026-01-02T12:00:00';

export const COLLECTIONS = {
  postman: {
    file: 'catp.postman_collection.json',
    type: 'application/json; charset=utf-8',
    isText: true,
    bytes: (collection) => strToU8(postmanText(collection)),
  },
  bruno: {
    file: 'catp-bruno.zip',
    type: 'application/zip',
    isText: false,
    bytes: (collection) =>
      zipSync(
        Object.fromEntries(
          Object.entries(brunoFiles(collection)).map(([path, text]) => [`catp-bruno/${path}`, strToU8(text)]),
        ),
        { mtime: MADE_AT },
      ),
  },
} as const satisfies Record<CollectionKind, CollectionFile>;

/**
 * Returns the file of a collection. `document` is the served API document, as JSON. A development instance
 * fills in its public demo user and company.
 */
export function collectionBytes(
  kind: CollectionKind,
  document: string,
  { baseUrl, mode }: { readonly baseUrl: string; readonly mode: 'dev' | 'serve' },
): Uint8Array<ArrayBuffer> {
  const known = mode === 'dev' ? ['demo', 'demo', '12345678'] : ['', '', ''];
  const [clientId = '', clientSecret = '', empresa = ''] = known;
  const values: Values = { baseUrl, clientId, clientSecret, roleType: 'IMPEXP', empresa };
  return COLLECTIONS[kind].bytes(collectionOf(JSON.parse(document) as ReadDocument, values));
}
