/** Links on their way to the server: one by its own operation, many in batches. */
import { api } from '../api/api.ts';
import type { Result } from '../api/result.ts';
import {
  type Batch,
  type BatchResult,
  type LinkItem,
  type LinkOutcome,
  refusalText,
  runBatch,
} from './batch.ts';
import { type LinkRequest, LINKS } from './model.ts';

const NOT_THERE = 404;

export const linkOne = (cpfCnpjRaiz: string, link: LinkRequest): Promise<Result<LinkRequest>> =>
  api.post<LinkRequest>(`${LINKS}/${cpfCnpjRaiz}`, link);

export const sendAll = <L extends LinkRequest>(
  links: readonly L[],
  batch: Batch,
  onProgress?: (done: number) => void,
): Promise<readonly LinkOutcome<L>[]> => runBatch(links, batch, sendSlice, onProgress);

async function sendSlice(items: readonly LinkItem[]): Promise<Result<readonly BatchResult[]>> {
  const answer = await api.post<readonly BatchResult[]>(LINKS, items);
  // An instance may have the batch operations switched off (setting `operacoesDescontinuadas`).
  return !answer.ok && answer.error.status === NOT_THERE ? oneByOne(items) : answer;
}

const NO_PAST = 'Sem as operações em lote, um vínculo só começa hoje: deixe vazio o início do vínculo.';

async function oneByOne(items: readonly LinkItem[]): Promise<Result<readonly BatchResult[]>> {
  const results: BatchResult[] = [];
  for (const { seq, cpfCnpjRaiz, vincular, dataReferencia, ...link } of items) {
    const path = `${LINKS}/${cpfCnpjRaiz}`;
    if (dataReferencia !== undefined) {
      results.push({ seq, sucesso: false, erros: [NO_PAST] });
      continue;
    }
    const answer = await (vincular ? api.post(path, link) : api.put(path, link));
    results.push({ seq, sucesso: answer.ok, erros: answer.ok ? [] : [refusalText(answer.error)] });
  }
  return { ok: true, headers: new Headers(), value: results };
}
