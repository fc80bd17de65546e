/** Many links made or taken away: through the batch operation, in slices that it takes, with a result for each. */
import type { ApiError, Result } from '../api/result.ts';
import type { LinkRequest } from './model.ts';

/** What the batch operation takes at once (contract section 4). */
export const SLICE = 100;

export interface LinkItem extends LinkRequest {
  readonly seq: number;
  readonly cpfCnpjRaiz: string;
  readonly vincular: boolean;
  readonly dataReferencia?: string;
}

export interface BatchResult {
  readonly seq: number;
  readonly sucesso: boolean;
  readonly erros: readonly string[];
}

export interface LinkOutcome<L extends LinkRequest> {
  readonly link: L;
  /** Why it was refused; empty: it is done. */
  readonly errors: readonly string[];
}

export interface Batch {
  readonly cpfCnpjRaiz: string;
  readonly vincular: boolean;
  /** Start of the links; '' is today. */
  readonly dataReferencia?: string;
}

/** One outcome for each link, in their order; a slice that was refused as a whole has the reason at each of its links. */
export async function runBatch<L extends LinkRequest>(
  links: readonly L[],
  batch: Batch,
  send: (items: readonly LinkItem[]) => Promise<Result<readonly BatchResult[]>>,
  onProgress: (done: number) => void = () => {},
): Promise<readonly LinkOutcome<L>[]> {
  const outcomes: LinkOutcome<L>[] = [];
  for (let at = 0; at < links.length; at += SLICE) {
    const slice = links.slice(at, at + SLICE);
    const answer = await send(slice.map((link, index) => itemOf(link, index + 1, batch)));
    outcomes.push(...slice.map((link, index) => ({ link, errors: errorsOf(answer, index + 1) })));
    onProgress(outcomes.length);
  }
  return outcomes;
}

function itemOf(
  link: LinkRequest,
  seq: number,
  { cpfCnpjRaiz, vincular, dataReferencia = '' }: Batch,
): LinkItem {
  const { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
  return {
    ...{ seq, cpfCnpjRaiz, codigoProduto, conhecido, codigoPais, vincular },
    ...{ codigoOperadorEstrangeiro, cpfCnpjFabricante },
    ...(dataReferencia !== '' && { dataReferencia }),
  };
}

function errorsOf(answer: Result<readonly BatchResult[]>, seq: number): readonly string[] {
  if (!answer.ok) return [refusalText(answer.error)];
  const result = answer.value.find((one) => one.seq === seq);
  if (result === undefined)
    return ['O servidor não disse o que foi feito deste item. Confira antes de repetir.'];
  return result.sucesso ? [] : result.erros;
}

/** Message, code and tag in one line. */
export const refusalText = ({ message, code, tag, problems }: ApiError): string =>
  [
    ...new Set([message, ...problems.map((problem) => problem.message)]),
    [code, tag].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(' ');
