/** Each product that waits, with the way to it and its reasons. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { Button } from '../../ui/button.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { count } from '../../words.ts';
import { dotted } from '../model.ts';
import { type Waiting, placeOf } from './plan.ts';

const STEP = 20;

const COLUMNS: readonly Column<Waiting>[] = [
  { key: 'codigo', title: 'Código', code: true, cell: ({ product }) => product.codigo },
  {
    ...{ key: 'name', title: 'Denominação' },
    cell: (one) => (
      <Link href={placeOf(one)}>
        <bdi>{one.product.denominacao}</bdi>
      </Link>
    ),
  },
  {
    key: 'ncm',
    title: 'NCM',
    code: true,
    cell: ({ product }) => <span class="attributes-ncm">{dotted(product.ncm ?? '')}</span>,
  },
  { key: 'problems', title: 'O que falta', cell: ({ problems }) => <Reasons problems={problems} /> },
];

export function WaitingTable({ waiting }: { readonly waiting: readonly Waiting[] }): JSX.Element {
  const [most, setMost] = useState(STEP);
  return (
    <div class="stack">
      <Table
        caption="Produtos a corrigir"
        columns={COLUMNS}
        rows={waiting.slice(0, most)}
        rowKey={({ product }) => product.codigo}
      />
      {waiting.length > most && (
        <Button onPress={() => setMost(most + STEP)}>Mostrar mais ({count(waiting.length - most)})</Button>
      )}
    </div>
  );
}

function Reasons({ problems }: { readonly problems: readonly string[] }): JSX.Element {
  if (problems.length === 0) return <>Nada: uma nova versão o traz de volta.</>;
  return (
    <ul class="plain">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
