/**
 * Upload of a selected file, kept in this tab for the import after a dry run and for a retry of failed items.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { ImportProgress, ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { RequestOptions } from '../api/client.ts';
import { type Result, faultOf } from '../api/result.ts';
import { IMPORTS, type ImportKind, type ImportMode, isOver } from './kinds.ts';
import { pause } from '../api/use-request.ts';

export interface Upload {
  /** JSON or zip, under its original name. */
  readonly file: File;
  readonly kind: ImportKind;
  readonly mode: ImportMode;
}

/** Uploads by import number, until the tab is closed. */
const uploads = new Map<number, Upload>();

export const uploadOf = (id: number): Upload | undefined => uploads.get(id);

export async function startImport(
  upload: Upload,
  dryRun: boolean,
  requestOptions: Pick<RequestOptions, 'onSent' | 'signal'> = {},
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
  const started = await api.post<ImportStarted>(IMPORTS, body, requestOptions);
  if (started.ok) uploads.set(started.value.id, upload);
  return started;
}

const POLL_MS = 200;

/** Waits until an import is over, and returns its progress. */
export async function waitForImport(id: number): Promise<Result<ImportProgress>> {
  for (;;) {
    const answer = await api.get<ImportProgress>(`${IMPORTS}/${id}`);
    if (!answer.ok || isOver(answer.value)) return answer;
    await pause(POLL_MS);
  }
}

/** Returns false if the file has changed on disk since it was selected: a browser then refuses to read it. */
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

const CHECKED_IMPORTS = 20;

/**
 * Returns the last import of the same content that stored something or is about to. Returns `undefined` if
 * there is none or it cannot be determined.
 */
export async function importedBefore({
  sha256,
  tipo,
  cpfCnpjRaiz,
}: Pick<ImportProgress, 'sha256' | 'tipo'> & {
  /** Company of the rows, for a sheet that does not name it. */
  readonly cpfCnpjRaiz?: string | null;
}): Promise<ImportProgress | undefined> {
  const query = { sha256, limit: CHECKED_IMPORTS, cpfCnpjRaiz };
  const answer = await api.get<readonly ImportProgress[]>(IMPORTS, { query });
  if (!answer.ok) return undefined;
  return answer.value.find(
    (job) => job.tipo === tipo && !job.simular && (!isOver(job) || job.created + job.newVersion > 0),
  );
}

/** Returns the SHA-256 hash in hex. The Web Crypto API is not available over plain HTTP. */
export async function digestOf(file: File): Promise<string> {
  const hash = sha256.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    hash.update(value);
  }
  return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
