/** A batch of changed products; where the instance has the batch operations switched off, one after the other. */
import { api } from '../../api/api.ts';
import type { Result } from '../../api/result.ts';
import { type Product, PRODUCTS } from '../product.ts';
import type { BatchItem, BatchResult } from './send.ts';

/** Of the operation itself (setting `operacoesDescontinuadas`). */
const NOT_THERE = 404;

export async function postProducts(items: readonly BatchItem[]): Promise<Result<readonly BatchResult[]>> {
  const answer = await api.post<readonly BatchResult[]>(PRODUCTS, items);
  return !answer.ok && answer.error.status === NOT_THERE ? oneByOne(items) : answer;
}

const NO_DRAFTS =
  'Rascunhos são gravados pela operação em lote, que está desligada nesta instância (operacoesDescontinuadas = false).';

async function oneByOne(items: readonly BatchItem[]): Promise<Result<readonly BatchResult[]>> {
  const results: BatchResult[] = [];
  for (const { seq, cpfCnpjRaiz, codigo, situacao, ...content } of items) {
    const failed = (erros: readonly string[]): BatchResult => ({ seq, sucesso: false, versao: null, erros });
    if (situacao === 'RASCUNHO') {
      results.push(failed([NO_DRAFTS]));
      continue;
    }
    const answer = await api.put<Product>(`${PRODUCTS}/${cpfCnpjRaiz}/${codigo}`, content);
    if (answer.ok) results.push({ seq, sucesso: true, versao: answer.value.versao, erros: [] });
    else {
      const { message, problems, status } = answer.error;
      // Nobody knows of this one, and the others were not sent.
      if (status === 0) break;
      results.push(failed(problems.length === 0 ? [message] : problems.map((problem) => problem.message)));
    }
  }
  return { ok: true, headers: new Headers(), value: results };
}
