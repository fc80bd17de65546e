/** What is sent of a chosen file, and what of it is kept in this tab: to import after a dry run, and to send again what failed. */
import { sha256 } from '@noble/hashes/sha2.js';
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import { IMPORTS, type Import, type ImportKind, type ImportMode } from './model.ts';

export interface Upload {
  /** JSON or zip, under the name that the person knows. */
  readonly file: File;
  readonly kind: ImportKind;
  readonly mode: ImportMode;
}

/** By the number of the import; they go with the tab. */
const sent = new Map<number, Upload>();

export const uploadOf = (id: number): Upload | undefined => sent.get(id);

export async function startImport(upload: Upload, dryRun: boolean): Promise<Result<{ readonly id: number }>> {
  const { file, kind, mode } = upload;
  const body = new FormData();
  body.set('tipo', kind);
  body.set('modo', mode);
  body.set('simular', String(dryRun));
  body.set('file', file);
  const started = await api.post<{ readonly id: number }>(IMPORTS, body);
  if (started.ok) sent.set(started.value.id, upload);
  return started;
}

const LOOKED_AT = 20;

/** The last import of the same content that kept something; `undefined` where there is none, or nobody knows. */
export async function importedBefore({ file, kind }: Upload): Promise<Import | undefined> {
  const query = { sha256: await digestOf(file), limit: LOOKED_AT };
  const found = await api.get<readonly Import[]>(IMPORTS, { query });
  if (!found.ok) return undefined;
  return found.value.find(
    ({ tipo, simular, created, newVersion }) => tipo === kind && !simular && created + newVersion > 0,
  );
}

/** Hex. The browser's own is missing where a page came over plain HTTP. */
async function digestOf(file: File): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    hash.update(value);
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
