/** What would become of each product, before anything is sent. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { count, counted } from '../../words.ts';
import { type Planned, isReady, placeOf } from './plan.ts';

const STEP = 20;

const COLUMNS: readonly Column<Planned>[] = [
  { key: 'codigo', title: 'Código', code: true, cell: ({ product }) => product.codigo },
  {
    ...{ key: 'name', title: 'Denominação' },
    cell: (plan) => (
      <Link href={placeOf(plan)}>
        <bdi>{plan.product.denominacao}</bdi>
      </Link>
    ),
  },
  { key: 'change', title: 'O que muda', cell: (plan) => <Change {...plan} /> },
  { key: 'result', title: 'Como ficaria', cell: (plan) => <Outcome plan={plan} /> },
];

export function Preview({ plans }: { readonly plans: readonly Planned[] }): JSX.Element {
  const [most, setMost] = useState(STEP);
  const ready = plans.filter(isReady).length;
  return (
    <>
      <p class="muted" role="status">
        {counted(ready, 'produto ficaria pronto', 'produtos ficariam prontos')}, de {count(plans.length)}.
      </p>
      <Table
        caption="Prévia"
        columns={COLUMNS}
        rows={plans.slice(0, most)}
        rowKey={({ product }) => product.codigo}
      />
      {plans.length > most && (
        <Button onPress={() => setMost(most + STEP)}>Mostrar mais ({count(plans.length - most)})</Button>
      )}
    </>
  );
}

const Change = ({ filled, dropped }: Planned): JSX.Element =>
  filled.length + dropped.length === 0 ? (
    <>–</>
  ) : (
    <>
      {filled.length > 0 && <p>preenche {filled.join(', ')}</p>}
      {dropped.length > 0 && <p>tira {dropped.join(', ')}, que a NCM não pede</p>}
    </>
  );

function Outcome({ plan }: { readonly plan: Planned }): JSX.Element {
  if (isReady(plan))
    return (
      <Badge tone="good" icon="check">
        Pronto
      </Badge>
    );
  if (plan.problems.length === 0) return <Badge tone="muted">Sem mudança</Badge>;
  return (
    <>
      <Badge tone="warn" icon="alert">
        Ainda falta
      </Badge>
      <ul class="plain">
        {plan.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </>
  );
}
