/** What became of each product that was to change; what failed first. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import { csvOf } from '../../importar/sheet/write.ts';
import { ErrorAlert, Notice } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { save } from '../../ui/download-button.tsx';
import type { Column } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { counted } from '../../words.ts';
import { addressOf } from '../product.ts';
import type { Sending, Sent } from './send.ts';

const OUTCOMES = {
  changed: ['good', 'Nova versão', 'check'],
  failed: ['bad', 'Erro', 'cross'],
  unknown: ['warn', 'Sem resposta', 'alert'],
} as const;

export function SentResults({
  sending: { sent, error },
  of,
  onClose,
}: {
  readonly sending: Sending;
  readonly of: number;
  readonly onClose: () => void;
}): JSX.Element {
  const changed = sent.filter(({ outcome }) => outcome === 'changed').length;
  const others = sent.filter(({ outcome }) => outcome !== 'changed');
  const rows = [...others, ...sent.filter(({ outcome }) => outcome === 'changed')];
  const download = (): void => save({ name: 'alteracoes.csv', content: csvOf(tableOf(rows)) });
  return (
    <>
      <ErrorAlert error={error} />
      <Notice tone={others.length === 0 && error === undefined ? 'good' : 'warn'}>
        {counted(changed, 'produto alterado', 'produtos alterados')}
        {others.length > 0 && `, ${counted(others.length, 'com erro', 'com erro')}`}
        {sent.length < of && `, ${counted(of - sent.length, 'não enviado', 'não enviados')}`}.
      </Notice>
      {rows.length > 0 && (
        <VirtualTable
          caption="O que foi feito de cada produto"
          columns={COLUMNS}
          count={rows.length}
          row={(index) => rows[index]}
        />
      )}
      {others.length > 0 && (
        <ul class="products-reasons">
          {others.slice(0, FAILED_MOST).map(({ planned: { product }, errors }) => (
            <li key={product.codigo}>
              <strong>Produto {product.codigo}:</strong> {errors.join(' ')}
            </li>
          ))}
          {others.length > FAILED_MOST && <li>Os demais estão na tabela acima e no CSV.</li>}
        </ul>
      )}
      <Actions>
        <Button kind="primary" onPress={onClose}>
          Fechar
        </Button>
        <Button icon="download" onPress={download}>
          Baixar CSV
        </Button>
      </Actions>
    </>
  );
}

/** Told in full; all of them are in the table. */
const FAILED_MOST = 10;

const tableOf = (rows: readonly Sent[]): readonly (readonly string[])[] => [
  ['Código', 'Denominação', 'Resultado', 'Versão', 'Motivo'],
  ...rows.map(({ planned: { product }, outcome, versao, errors }) => [
    ...[String(product.codigo), product.denominacao, OUTCOMES[outcome][1], versao ?? '', errors.join(' ')],
  ]),
];

const COLUMNS: readonly Column<Sent>[] = [
  {
    ...{ key: 'codigo', title: 'Código', width: 90, code: true },
    cell: ({ planned: { product } }) => <Link href={addressOf(product)}>{product.codigo}</Link>,
  },
  {
    ...{ key: 'denominacao', title: 'Denominação', width: 220 },
    cell: ({ planned: { product } }) => <bdi title={product.denominacao}>{product.denominacao}</bdi>,
  },
  {
    ...{ key: 'outcome', title: 'Resultado', width: 140 },
    cell: ({ outcome }) => {
      const [tone, text, icon] = OUTCOMES[outcome];
      return (
        <Badge tone={tone} icon={icon}>
          {text}
        </Badge>
      );
    },
  },
  { key: 'versao', title: 'Versão', width: 80, code: true, cell: ({ versao }) => versao ?? '–' },
  {
    ...{ key: 'errors', title: 'Motivo' },
    cell: ({ errors }) => <span title={errors.join(' ')}>{errors.join(' ') || '–'}</span>,
  },
];
