/** Which attribute gets which value, and what that does to each product. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AttributeDetail } from '../../../catalogue/attribute/model.ts';
import { Notice } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { DayInput } from '../../ui/day-input.tsx';
import { Input } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Column } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { counted } from '../../words.ts';
import { namesOf, valueText } from '../produto/reading.ts';
import type { Gathered } from './gather.ts';
import { offeredOf, type Planned, plannedOf, reasonsIn } from './plan.ts';

export interface PreviewProps {
  readonly gathered: Gathered;
  readonly onSend: (changes: readonly Planned[]) => void;
  readonly onCancel: () => void;
}

export function Preview({ gathered, onSend, onCancel }: PreviewProps): JSX.Element {
  const { products, ncms, day } = gathered;
  const [codigo, setCodigo] = useState('');
  const [typed, setValor] = useState('');
  const valor = typed.trim();
  const offered = useMemo(() => offeredOf(products, ncms), [products, ncms]);
  const detail = offered.find((one) => one.detail.codigo === codigo)?.detail;
  const planned = useMemo(
    () =>
      detail === undefined || valor === ''
        ? undefined
        : products
            .map((product) => plannedOf(product, ncms, { codigo, valor, day }))
            .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)),
    [products, ncms, detail, codigo, valor, day],
  );
  const changes = (planned ?? []).filter(({ kind }) => kind === 'changes');
  const labels = useMemo(
    () => new Map(offered.map((one) => [one.detail.codigo, one.detail.nomeApresentacao])),
    [offered],
  );
  const columns = useMemo(() => columnsFor(detail, valor), [detail, valor]);
  if (offered.length === 0)
    return (
      <>
        <Notice tone="warn">
          A tabela de atributos em vigor não tem atributos para as NCMs destes produtos.
        </Notice>
        <Actions>
          <Button onPress={onCancel}>Cancelar</Button>
        </Actions>
      </>
    );
  return (
    <>
      <div class="grid">
        <Combobox
          label="Atributo"
          value={codigo}
          onChange={(next) => {
            setCodigo(next);
            setValor('');
          }}
          options={offered.map((one) => ({
            value: one.detail.codigo,
            label: `${one.detail.nomeApresentacao} (${counted(one.products, 'produto', 'produtos')})`,
          }))}
        />
        {detail !== undefined && <ValueField detail={detail} value={typed} onChange={setValor} />}
      </div>
      {planned !== undefined && (
        <>
          <p role="status">{summaryOf(planned)}</p>
          <VirtualTable
            caption="O que muda em cada produto"
            columns={columns}
            count={planned.length}
            row={(index) => planned[index]}
          />
          <Reasons planned={planned} nameOf={(code) => labels.get(code) ?? code} />
        </>
      )}
      <Actions>
        <Button kind="primary" disabled={changes.length === 0} onPress={() => onSend(changes)}>
          {changes.length === 0 ? 'Gravar' : `Gravar ${counted(changes.length, 'produto', 'produtos')}`}
        </Button>
        <Button onPress={onCancel}>Cancelar</Button>
      </Actions>
    </>
  );
}

/** More than these are too many to read; each product has its own in the table. */
const REASONS_MOST = 12;

function Reasons({
  planned,
  nameOf,
}: {
  readonly planned: readonly Planned[];
  readonly nameOf: (codigo: string) => string;
}): JSX.Element | null {
  const reasons = reasonsIn(planned, nameOf);
  if (reasons.length === 0) return null;
  return (
    <ul class="products-reasons">
      {reasons.slice(0, REASONS_MOST).map(({ why, products }) => (
        <li key={why}>
          <strong>{counted(products, 'produto', 'produtos')}:</strong> {why}
        </li>
      ))}
      {reasons.length > REASONS_MOST && (
        <li>E mais {counted(reasons.length - REASONS_MOST, 'motivo', 'motivos')}, na tabela acima.</li>
      )}
    </ul>
  );
}

function ValueField({
  detail,
  value,
  onChange,
}: {
  readonly detail: AttributeDetail;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const { dominio, formaPreenchimento, orientacaoPreenchimento } = detail;
  const field = {
    ...{ label: 'Novo valor', value, onChange },
    ...(orientacaoPreenchimento !== '' && { help: orientacaoPreenchimento }),
  };
  if (dominio.length > 0)
    return (
      <Combobox
        {...field}
        options={dominio.map(({ codigo, descricao }) => ({ value: codigo, label: descricao }))}
      />
    );
  if (formaPreenchimento === 'BOOLEANO') return <Select {...field} options={YES_OR_NO} />;
  if (formaPreenchimento === 'DATA') return <DayInput {...field} />;
  if (formaPreenchimento === 'NUMERO_REAL')
    return <Input {...field} code onChange={(text) => onChange(text.replace(',', '.'))} />;
  return <Input {...field} />;
}

const YES_OR_NO = [
  { value: '', label: 'Escolha…' },
  { value: 'true', label: 'Sim' },
  { value: 'false', label: 'Não' },
] as const;

/** What there is to look at comes first. */
const ORDER: readonly Planned['kind'][] = ['changes', 'refused', 'left', 'same'];

const KINDS = {
  changes: ['good', 'Muda', 'check'],
  same: ['muted', 'Já está assim', 'dash'],
  refused: ['bad', 'Seria recusado', 'cross'],
  left: ['muted', 'Fica como está', 'dash'],
} as const;

function summaryOf(planned: readonly Planned[]): string {
  const many = (kind: Planned['kind'], one: string, more: string): readonly string[] => {
    const number = planned.filter((each) => each.kind === kind).length;
    return number === 0 ? [] : [counted(number, one, more)];
  };
  return [
    ...many('changes', 'produto muda', 'produtos mudam'),
    ...many('same', 'já está assim', 'já estão assim'),
    ...many('refused', 'seria recusado', 'seriam recusados'),
    ...many('left', 'fica como está', 'ficam como estão'),
  ].join(' · ');
}

function columnsFor(detail: AttributeDetail | undefined, valor: string): readonly Column<Planned>[] {
  if (detail === undefined) return [];
  const name = namesOf([detail]).get(detail.codigo);
  const texts = (values: readonly string[]): string =>
    values.length === 0 ? '–' : values.map((value) => valueText(name, value)).join('; ');
  const plain = (text: string): JSX.Element => <bdi title={text}>{text}</bdi>;
  return [
    { key: 'codigo', title: 'Código', width: 80, code: true, cell: ({ product }) => product.codigo },
    {
      key: 'denominacao',
      title: 'Denominação',
      width: 220,
      cell: ({ product }) => plain(product.denominacao),
    },
    { key: 'before', title: 'Antes', width: 150, cell: ({ before }) => plain(texts(before)) },
    {
      ...{ key: 'after', title: 'Depois', width: 150 },
      cell: ({ before, kind }) => plain(texts(kind === 'left' ? before : [valor])),
    },
    {
      ...{ key: 'kind', title: 'O que acontece' },
      cell: ({ kind, why }) => {
        const [tone, text, icon] = KINDS[kind];
        return (
          <span title={why}>
            <Badge tone={tone} icon={icon}>
              {text}
            </Badge>{' '}
            {why}
          </span>
        );
      },
    },
  ];
}
