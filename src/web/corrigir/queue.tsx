/**
 * The correction queue: reasons with their NCMs, most frequent first. Complete products are activated at
 * once.
 */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ImportStarted, Mending, MendingNcm, MendingReason } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { queryOf } from '../api/client.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { CHANGES } from '../produtos/change-many.tsx';
import { PRODUCT_PAGES } from '../produtos/product.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button, LinkButton } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Card } from '../ui/page.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { countText, withCount, ncmText } from '../words.ts';
import { fillsOf } from '../kit/each/cells.ts';
import {
  type ReasonFilter,
  BY_SYSTEM,
  DUE,
  type QueueSource,
  REFUSED,
  reasonFilterOf,
  columnsFor,
  filterOf,
} from './mending.ts';
import { NCM_COLUMN } from '../atributos/invalid-products.tsx';
import { readyInWords } from './ready.ts';
import { ReasonText } from './reason-text.tsx';

interface QueueProps {
  readonly queue: QueueSource;
  readonly answer: Mending;
}

/** Number of initially shown reasons of a longer list. */
const REASONS_MAX = 20;
const NCMS_MAX = 8;

/** The server refuses a longer address. */
const COLUMNS_MAX = 300;

const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  [BY_SYSTEM]: 'Nenhum produto desta empresa está desativado pelo sistema.',
  [REFUSED]: 'Nenhum produto que um remoto recusou está ainda como foi recusado.',
  [DUE]: 'A nenhum produto ativo falta o que ainda vai ser exigido.',
};

export function Queue({ queue, answer }: QueueProps) {
  const [visibleCount, setVisibleCount] = useState(REASONS_MAX);
  const { total, reasons } = answer;
  const { company, toMend } = queue;
  if (total === 0)
    return (
      <Notice tone="good">
        {EMPTY_TEXTS[toMend] ?? 'Nenhum produto desta empresa deixaria de ser válido.'}
      </Notice>
    );
  const columns = columnsFor(reasons.flatMap(fillsOf).slice(0, COLUMNS_MAX));
  const query = { cpfCnpjRaiz: company, ...filterOf(queue, {}), columns };
  return (
    <Card
      title={withCount(total, 'produto a corrigir', 'produtos a corrigir')}
      actions={
        <DownloadButton path={`${PRODUCT_PAGES}.xlsx${queryOf(query)}`} fallbackName="a-corrigir.xlsx">
          Baixar XLSX
        </DownloadButton>
      }
    >
      <div class="stack">
        <Ready queue={queue} answer={answer} />
        {reasons.length > 0 && (
          <ul class="plain reasons">
            {reasons.slice(0, visibleCount).map((mendingReason) => (
              <li key={`${mendingReason.reason} ${mendingReason.member}`}>
                <Reason mendingReason={mendingReason} queue={queue} />
              </li>
            ))}
          </ul>
        )}
        {reasons.length > visibleCount && (
          <Actions>
            <Button onPress={() => setVisibleCount(visibleCount + REASONS_MAX)}>
              Mostrar mais motivos ({countText(reasons.length - visibleCount)})
            </Button>
          </Actions>
        )}
        <p class="muted">
          A planilha tem uma coluna para cada valor que falta: preenchida, volta por{' '}
          <Link href={`/importar${queryOf({ cpfCnpjRaiz: company })}`}>Importar</Link>
          {toMend === BY_SYSTEM && ', com “Ativar os que estão desativados” marcado'}.
        </p>
      </div>
    </Card>
  );
}

/** Activates the products that lack nothing, after a dry run that shows which values they lose. */
function Ready({ queue: { company }, answer: { ready, readyLosing } }: QueueProps) {
  const openImport = useOpenImport();
  const mayWrite = rolesOf(useSession()).includes('representative');
  const filter = { toMend: 'ready' };
  const dryRun = useAction(
    () => api.post<ImportStarted>(CHANGES, { cpfCnpjRaiz: company, filter, reactivate: true, simular: true }),
    ({ id }) => openImport(id, company),
  );
  if (ready === 0) return null;
  return (
    <>
      <Notice tone="calm">
        <p>{readyInWords(ready, readyLosing)}</p>
        {mayWrite && (
          <Button small isBusy={dryRun.isBusy} onPress={() => void dryRun.run()}>
            Ativar os que estão prontos
          </Button>
        )}
      </Notice>
      <ErrorAlert error={dryRun.error} />
    </>
  );
}

function Reason(props: { readonly mendingReason: MendingReason; readonly queue: QueueSource }) {
  const { mendingReason, queue } = props;
  const [visibleCount, setVisibleCount] = useState(NCMS_MAX);
  const { heading, ncms, ncmCount, count: products } = mendingReason;
  const name = heading ?? 'O produto inteiro';
  const columns: readonly Column<MendingNcm>[] = [
    NCM_COLUMN,
    { key: 'count', title: 'Produtos', align: 'right', cell: (mendingNcm) => countText(mendingNcm.count) },
    {
      key: 'mend',
      title: 'Ação',
      cell: ({ ncm }) => (
        <LinkButton
          href={addressOf(queue, { ...reasonFilterOf(mendingReason), ncm })}
          aria-label={`Corrigir ${name} dos da NCM ${ncmText(ncm)}`}
        >
          Corrigir
        </LinkButton>
      ),
    },
  ];
  return (
    <div class="stack">
      <div class="card-head">
        <h3>
          {name} · {withCount(products, 'produto', 'produtos')}
        </h3>
        {ncmCount > 1 && (
          <LinkButton
            href={addressOf(queue, reasonFilterOf(mendingReason))}
            aria-label={`Corrigir ${name} em todas as NCMs`}
          >
            Em todas as NCMs
          </LinkButton>
        )}
      </div>
      <ReasonText mendingReason={mendingReason} />
      <Table
        caption={`NCMs em que falta corrigir ${name}`}
        columns={columns}
        rows={ncms.slice(0, visibleCount)}
        rowKey={({ ncm }) => ncm}
      />
      {ncms.length > visibleCount && (
        <Actions>
          <Button small label={`Mostrar mais NCMs de ${name}`} onPress={() => setVisibleCount(ncms.length)}>
            Mostrar mais NCMs ({countText(ncms.length - visibleCount)})
          </Button>
        </Actions>
      )}
      {ncmCount > ncms.length && (
        <p class="muted">
          E mais {withCount(ncmCount - ncms.length, 'NCM', 'NCMs')}, com menos produtos cada.
        </p>
      )}
    </div>
  );
}

const addressOf = ({ company, toMend }: QueueSource, reasonFilter: ReasonFilter): string =>
  `/corrigir${queryOf({ cpfCnpjRaiz: company, fonte: toMend === BY_SYSTEM ? '' : toMend, ...reasonFilter })}`;
