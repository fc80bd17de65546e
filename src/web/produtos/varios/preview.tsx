/** Which attribute gets which value, and what that does to each product. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AttributeDetail } from '../../../catalogue/attribute/model.ts';
import { Notice } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import type { Column } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { counted } from '../../words.ts';
import { type AttributeNames, namesOf, valueText } from '../produto/reading.ts';
import type { Gathered } from './gather.ts';
import { isOneValue, NewContent, NewValue } from './new-content.tsx';
import {
  type Content,
  fieldFor,
  isEmpty,
  NO_CONTENT,
  offeredOf,
  type Planned,
  plannedOf,
  reasonsIn,
  tidied,
} from './plan.ts';

export interface PreviewProps {
  readonly gathered: Gathered;
  readonly onSend: (changes: readonly Planned[]) => void;
  readonly onCancel: () => void;
}

export function Preview({ gathered, onSend, onCancel }: PreviewProps): JSX.Element {
  const { products, ncms, day } = gathered;
  const [codigo, setCodigo] = useState('');
  const [typed, setTyped] = useState(NO_CONTENT);
  const content = useMemo(() => tidied(typed), [typed]);
  const offered = useMemo(() => offeredOf(products, ncms), [products, ncms]);
  const detail = offered.find((one) => one.detail.codigo === codigo)?.detail;
  const planned = useMemo(
    () =>
      detail === undefined || isEmpty(content)
        ? undefined
        : products
            .map((product) => plannedOf(product, ncms, { codigo, content, day }))
            .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)),
    [products, ncms, detail, codigo, content, day],
  );
  const changes = (planned ?? []).filter(({ kind }) => kind === 'changes');
  const labels = useMemo(
    () => new Map(offered.map((one) => [one.detail.codigo, one.detail.nomeApresentacao])),
    [offered],
  );
  const columns = useMemo(() => columnsFor(detail, content), [detail, content]);
  const field = detail === undefined ? undefined : fieldFor(products, ncms, { codigo, content: typed, day });
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
            setTyped(NO_CONTENT);
          }}
          options={offered.map((one) => ({
            value: one.detail.codigo,
            label: `${one.detail.nomeApresentacao} (${counted(one.products, 'produto', 'produtos')})`,
          }))}
        />
        {field !== undefined && isOneValue(field) && (
          <NewValue key={codigo} detail={field.detail} content={typed} onContent={setTyped} />
        )}
      </div>
      {field !== undefined && !isOneValue(field) && (
        <NewContent key={codigo} field={field} content={typed} onContent={setTyped} />
      )}
      {detail !== undefined && field === undefined && (
        <Notice tone="warn">
          Nenhum destes produtos pede este atributo: pela modalidade, ou pelo que os outros atributos dizem.
        </Notice>
      )}
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

function columnsFor(detail: AttributeDetail | undefined, content: Content): readonly Column<Planned>[] {
  if (detail === undefined) return [];
  const names = namesOf([detail]);
  const texts = (of: Content): string => textsOf(of, detail.codigo, names).join('; ') || '–';
  // Several values, or the parts of groups, take more room.
  const width = content.values.length === 1 ? 150 : 280;
  const plain = (text: string): JSX.Element => <bdi title={text}>{text}</bdi>;
  return [
    { key: 'codigo', title: 'Código', width: 80, code: true, cell: ({ product }) => product.codigo },
    {
      key: 'denominacao',
      title: 'Denominação',
      width: 220,
      cell: ({ product }) => plain(product.denominacao),
    },
    { key: 'before', title: 'Antes', width, cell: ({ before }) => plain(texts(before)) },
    {
      ...{ key: 'after', title: 'Depois', width },
      cell: ({ before, kind }) => plain(texts(kind === 'left' ? before : content)),
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

/** Each value, or group, as people read it. */
function textsOf({ values, groups }: Content, codigo: string, names: AttributeNames): readonly string[] {
  const text = (code: string, value: string): string => valueText(names.get(code), value);
  return [
    ...values.map((value) => text(codigo, value)),
    ...groups.map((group) =>
      Object.entries(group)
        .map(([part, value]) => `${names.get(part)?.name ?? part}: ${text(part, value)}`)
        .join(', '),
    ),
  ];
}
