/**
 * Sends links to the server: one by its own operation, many as an import whose page shows the result of each.
 */
import type { ImportStarted } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { proposeRecord } from '../aprovar/propose-record.ts';
import type { Result } from '../api/result.ts';
import { startImport } from '../importar/upload.ts';
import { type LinkRequest, LINKS } from './maker.ts';

export const linkOne = (cpfCnpjRaiz: string, link: LinkRequest): Promise<Result<LinkRequest>> =>
  api.post<LinkRequest>(`${LINKS}/${cpfCnpjRaiz}`, link);

export const unlinkOne = (cpfCnpjRaiz: string, link: LinkRequest): Promise<Result<LinkRequest>> =>
  api.put<LinkRequest>(`${LINKS}/${cpfCnpjRaiz}`, requested(link));

export interface LinkBatch {
  readonly cpfCnpjRaiz: string;
  readonly vincular: boolean;
  /** Start of the links; '' means today. */
  readonly dataReferencia?: string;
  /** True for a dry run, which is then proposed. */
  readonly simular?: boolean;
}

/** Proposes one link, or its end. Returns the import that waits. */
export const proposeLink = (
  cpfCnpjRaiz: string,
  link: LinkRequest,
  operation: 'link' | 'unlink' = 'link',
): Promise<Result<ImportStarted>> =>
  proposeRecord({ cpfCnpjRaiz, kind: 'vinculo', operation, content: requested(link) });

/** Returns the import that processes the links. */
export function sendMany(
  links: readonly LinkRequest[],
  batch: LinkBatch,
): Promise<Result<{ readonly id: number }>> {
  const { cpfCnpjRaiz, vincular, dataReferencia = '', simular = false } = batch;
  const items = links.map((link, index) => ({
    seq: index + 1,
    cpfCnpjRaiz,
    ...requested(link),
    vincular,
    ...(dataReferencia !== '' && { dataReferencia }),
  }));
  const file = new File([JSON.stringify(items)], vincular ? 'novos vínculos.json' : 'desvincular.json');
  return startImport({ file, kind: 'fabricante', mode: 'lote' }, simular);
}

/** Returns the members that identify a listed link. */
const requested = (link: LinkRequest): LinkRequest => {
  const { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
  return { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante };
};
