/** State of the product at each remote. Renders nothing without a comparison. */
import { Link } from 'wouter-preact';
import type { RecordAtRemote } from '../../api/answers.ts';
import { addressFor } from '../../api/use-company.ts';
import { useResource } from '../../api/use-resource.ts';
import { StateBadge } from '../../remotos/state-badge.tsx';
import { STATES, remoteCodeText, rewordSentence, runTitle } from '../../remotos/words.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { WithNcms } from '../../ui/ncm.tsx';
import { Card } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { momentText } from '../../words.ts';
import { PRODUCT_PAGES } from '../product.ts';

export function ProductRemotes(props: { readonly cpfCnpjRaiz: string; readonly codigo: string }) {
  const { cpfCnpjRaiz, codigo } = props;
  const {
    value = [],
    error,
    reload,
  } = useResource<readonly RecordAtRemote[]>(`${PRODUCT_PAGES}/${cpfCnpjRaiz}/${codigo}/remotes`);
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (value.length === 0) return null;
  return (
    <Card title="Nos remotos">
      <Table
        caption="Onde o produto está em cada remoto"
        columns={columnsOf(cpfCnpjRaiz, codigo)}
        rows={value}
        rowKey={({ remote }) => remote}
      />
    </Card>
  );
}

const columnsOf = (company: string, codigo: string): readonly Column<RecordAtRemote>[] => [
  {
    key: 'remote',
    title: 'Remoto',
    cell: ({ remote }) => (
      <Link href={addressFor(`/remotos?remote=${remote}&state=todos&text=${codigo}`, company)}>{remote}</Link>
    ),
  },
  { key: 'state', title: 'Estado', cell: ({ state }) => <StateBadge state={state} /> },
  { key: 'remoteCodigo', title: 'Código lá', code: true, cell: remoteCodeText },
  { key: 'since', title: 'Desde', cell: ({ since }) => momentText(since) },
  {
    key: 'reason',
    title: 'O que fazer',
    cell: ({ reason, state, run }) => (
      <>
        {reason !== null && (
          <>
            <WithNcms text={rewordSentence(reason)} />{' '}
          </>
        )}
        {STATES[state].action}{' '}
        {run !== null && (
          <Link href={addressFor(`/remotos/${run}`, company)}>
            {runTitle({ id: run, direction: 'send', simulated: false })}
          </Link>
        )}
      </>
    ),
  },
];
