/**
 * Attention items of failed imports: one item per company, and one dismissal per import (contract section
 * 25).
 */
import type { Db } from '../../db/open.ts';
import { dayOf } from '../../validation/calendar.ts';
import { withCount } from '../../validation/text.ts';
import { type FailedImport, ImportFailuresStore } from '../../catalogue/import/failures-store.ts';
import type { Dismissal } from '../../catalogue/summary/dismissal-store.ts';
import type { AttentionItem } from '../../catalogue/summary/attention-item.ts';

const KIND = 'importacoes';

/** Returns the dismissal of an import. An unreadable import has no failed row, hence the 1. */
const dismissalOf = ({ id, failed }: FailedImport) =>
  ({ kind: KIND, id: `${id}`, count: failed + 1 }) as const;

export function failedImportsOf(db: Db, documento: string) {
  const store = new ImportFailuresStore(db);
  const ofSender = store.ofSender(documento);
  return (cpfCnpjRaiz: string) => {
    // Unreadable imports concern every company of their sender.
    const shared = ofSender.filter(
      ({ companies }) => companies.length === 0 || companies.includes(cpfCnpjRaiz),
    );
    const jobs = [...store.ofCompany(cpfCnpjRaiz), ...shared.map(({ job }) => job)].sort(
      (a, b) => b.id - a.id,
    );
    return {
      dismissals: jobs.map(dismissalOf) satisfies readonly Dismissal[],
      visible: (isVisible: (one: ReturnType<typeof dismissalOf>) => boolean): AttentionItem[] =>
        attentionItemOf(jobs.filter((job) => isVisible(dismissalOf(job)))),
    };
  };
}

/** Returns the item. `jobs`: newest first; the item links to the page of the newest. */
function attentionItemOf(jobs: readonly FailedImport[]): AttentionItem[] {
  const [newest] = jobs;
  const oldest = jobs.at(-1);
  if (newest === undefined || oldest === undefined) return [];
  return [
    {
      kind: KIND,
      count: jobs.length,
      day: dayOf(oldest.createdAt),
      href: `/importar/${newest.id}`,
      tone: 'error',
      message:
        jobs.length === 1 ? wordsOf(newest) : `${jobs.length} importações com erros. ${wordsOf(newest)}`,
    },
  ];
}

/** Returns the sentence of a failed import. */
export function wordsOf({
  fileName,
  state,
  failed,
  kind,
}: Pick<FailedImport, 'fileName' | 'kind' | 'failed'> & { readonly state: string }): string {
  if (state === 'failed')
    return `${fileName} não pôde ser lido. Nada foi gravado: veja o motivo e envie o arquivo de novo.`;
  const failures = `${fileName}: ${withCount(failed, 'linha', 'linhas')} com erro na importação.`;
  return kind === 'desfazer'
    ? `${failures} O resto foi desfeito. O que mudou depois ficou como está: veja cada um, e mude no registro o que ainda for preciso.`
    : `${failures} O resto foi gravado: veja o motivo de cada erro e corrija o que falhou.`;
}
