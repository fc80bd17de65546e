/** What is sent of a chosen file, and what of it is kept in this tab: to import after a dry run, and to send again what failed. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { ImportProgress, ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Asking } from '../api/client.ts';
import { type Result, faultOf } from '../api/result.ts';
import { IMPORTS, type ImportKind, type ImportMode, isOver } from './kinds.ts';

export interface Upload {
  /** JSON or zip, under the name that the person knows. */
  readonly file: File;
  readonly kind: ImportKind;
  readonly mode: ImportMode;
}

/** By the number of the import; they go with the tab. */
const sent = new Map<number, Upload>();

export const uploadOf = (id: number): Upload | undefined => sent.get(id);

export async function startImport(
  upload: Upload,
  dryRun: boolean,
  asking: Pick<Asking, 'onSent' | 'signal'> = {},
  expected?: object,
): Promise<Result<{ readonly id: number }>> {
  const { file, kind, mode } = upload;
  if (!(await isReadable(file))) return { ok: false, error: faultOf(changedSince(file)) };
  const body = new FormData();
  body.set('tipo', kind);
  body.set('modo', mode);
  body.set('simular', String(dryRun));
  if (expected !== undefined) body.set('expected', JSON.stringify(expected));
  body.set('file', file);
  const started = await api.post<ImportStarted>(IMPORTS, body, asking);
  if (started.ok) sent.set(started.value.id, upload);
  return started;
}

/** A browser no longer reads a file that was changed on the disk after it was chosen. */
export const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

export const changedSince = ({ name }: File): string =>
  `“${name}” mudou no disco, ou não está mais lá, depois de escolhido. Escolha-o de novo.`;

const LOOKED_AT = 20;

/** The last import of the same content that kept something, or is about to; `undefined` where there is none, or nobody knows. */
export async function importedBefore(
  file: File,
  kind: ImportKind,
  /** Of whom its rows are, where it is a sheet, which does not say it. */
  company: string | undefined,
): Promise<ImportProgress | undefined> {
  // What cannot be read is told when it is sent.
  const digest = await digestOf(file).catch(() => undefined);
  if (digest === undefined) return undefined;
  const query = { sha256: digest, limit: LOOKED_AT, cpfCnpjRaiz: company };
  const found = await api.get<readonly ImportProgress[]>(IMPORTS, { query });
  if (!found.ok) return undefined;
  return found.value.find(
    (job) => job.tipo === kind && !job.simular && (!isOver(job) || job.created + job.newVersion > 0),
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
