/** The changes go to the server in batches; what became of each product comes back with it. */
import { faultOf, type ApiError, type Result } from '../../api/result.ts';
import type { Planned } from './plan.ts';

/** As many as a batch may have (contract section 4). */
const BATCH_MOST = 100;

export interface BatchResult {
  readonly seq: number;
  readonly sucesso: boolean;
  readonly versao: string | null;
  readonly erros: readonly string[];
}

export interface Sent {
  readonly planned: Planned;
  /** `unknown`: no answer came, and the server may have taken it or not. */
  readonly outcome: 'changed' | 'failed' | 'unknown';
  readonly versao: string | null;
  readonly errors: readonly string[];
}

export interface SendingOptions {
  readonly post: (items: readonly BatchItem[]) => Promise<Result<readonly BatchResult[]>>;
  readonly onProgress: (sent: number) => void;
  /** Asked before each batch. */
  readonly isStopped: () => boolean;
}

export interface Sending {
  readonly sent: readonly Sent[];
  /** What ended it before its end. */
  readonly error: ApiError | undefined;
}

export async function sendAll(changes: readonly Planned[], options: SendingOptions): Promise<Sending> {
  const sent: Sent[] = [];
  for (let at = 0; at < changes.length; at += BATCH_MOST) {
    if (options.isStopped()) return { sent, error: faultOf('Parado a pedido; o que já foi gravado fica.') };
    const batch = changes.slice(at, at + BATCH_MOST);
    const answer = await options.post(batch.map(itemOf));
    if (!answer.ok) {
      // Refused as a whole, nothing was kept; without an answer nobody knows.
      const outcome = answer.error.status === 0 ? 'unknown' : 'failed';
      const errors = [answer.error.message];
      sent.push(...batch.map((planned) => ({ planned, outcome, versao: null, errors }) as const));
      return { sent, error: answer.error };
    }
    const results = new Map(answer.value.map((result) => [result.seq, result]));
    sent.push(...batch.map((planned, index) => sentOf(planned, results.get(index + 1))));
    options.onProgress(sent.length);
  }
  return { sent, error: undefined };
}

/** As a batch has it. */
export type BatchItem = ReturnType<typeof itemOf>;

/** A draft stays one. */
function itemOf({ product, lists }: Planned, index: number) {
  const { cpfCnpjRaiz, codigo, situacao, descricao, denominacao, modalidade, ncm, codigosInterno } = product;
  return {
    ...{ seq: index + 1, cpfCnpjRaiz, codigo, situacao, descricao, denominacao, modalidade, ncm },
    ...lists,
    codigosInterno,
  };
}

function sentOf(planned: Planned, result: BatchResult | undefined): Sent {
  if (result === undefined)
    return { planned, outcome: 'unknown', versao: null, errors: ['O servidor não disse o que fez dele.'] };
  const { sucesso, versao, erros } = result;
  return { planned, outcome: sucesso ? 'changed' : 'failed', versao, errors: erros };
}
