/** Columns of the product list, under the headings that the download also uses. */
import { Link } from 'wouter-preact';
import { PRODUCT } from '../../catalogue/members/product.ts';
import { NCM_WORDS } from '../../catalogue/members/ncm-words.ts';
import type { PagedProduct } from '../api/answers.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { memberColumnOf } from '../kit/list/member-column.tsx';
import { StateBadge } from '../remotos/state-badge.tsx';
import { Situation } from '../ui/badge.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { addressOf, memberText } from './product.ts';
import { type AttributeNames, readingsOf } from './produto/reading.ts';

const member = memberColumnOf(PRODUCT);

/**
 * `asOf`: date of the list; '' is now. `names`: attribute names of the NCM in the filter. `remote`: remote to
 * compare with.
 */
export const columnsFor = (
  asOf: string,
  names: AttributeNames,
  remote = '',
): readonly ListColumn<PagedProduct>[] => [
  member('codigo', 84, { visibility: 'always', orderBy: 'codigo' }),
  {
    key: 'denominacao',
    title: PRODUCT.denominacao.heading,
    visibility: 'always',
    orderBy: 'denominacao',
    cell: (product) => (
      <Link href={addressOf(product, { dataReferencia: asOf })} title={product.denominacao}>
        <bdi>{product.denominacao}</bdi>
      </Link>
    ),
  },
  ...(remote === '' ? [] : atRemote(remote)),
  {
    ...member('situacao', 130, { visibility: 'at first' }),
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  {
    ...member('ncm', 108, { visibility: 'at first', orderBy: 'ncm' }),
    cell: ({ ncm }) => (ncm ? <Ncm code={ncm} /> : '–'),
  },
  {
    key: NCM_WORDS.target,
    title: NCM_WORDS.heading,
    width: 220,
    visibility: 'at first',
    cell: ({ ncm }) => ncm && <NcmDescription code={ncm} />,
  },
  {
    ...member('modalidade', 112, { visibility: 'at first' }),
    cell: ({ modalidade }) =>
      modalidade === 'AMBOS' ? 'Ambas' : memberText('modalidade', modalidade) || '–',
  },
  member('versao', 76, { visibility: 'at first' }),
  member('codigosInterno', 150, { visibility: 'at first' }),
  member('descricao', 320),
  member('changedAt', 160, { orderBy: 'changedAt' }),
  ...attributeColumns(names),
];

/** Returns columns that are always visible when a remote is selected. */
const atRemote = (remote: string): readonly ListColumn<PagedProduct>[] => [
  {
    key: 'remoteCodigo',
    title: 'Código lá',
    width: 104,
    code: true,
    visibility: 'always',
    targets: [],
    cell: ({ remote: atRemoteState }) => atRemoteState?.remoteCodigo ?? '–',
  },
  {
    key: 'remoteState',
    title: `Em ${remote}`,
    width: 180,
    visibility: 'always',
    targets: [],
    cell: ({ remote: atRemoteState }) =>
      atRemoteState == null ? (
        <span class="muted">não comparado</span>
      ) : (
        <StateBadge state={atRemoteState.state} />
      ),
  },
];

/** Returns a column per attribute and per part of a compound, under the headings of the download. */
function attributeColumns(names: AttributeNames): readonly ListColumn<PagedProduct>[] {
  const columnOf = (codigo: string, part?: string): ListColumn<PagedProduct> => {
    const codes = [codigo, ...(part === undefined ? [] : [part])];
    return {
      key: `atributo:${codes.join('/')}`,
      width: 150,
      title: codes.map((code) => names.get(code)?.name ?? code).join(': '),
      cell: (product) => {
        const reading = readingsOf(product, names).find((reading) => reading.codigo === codigo);
        const values = reading?.groups.flat().filter((partReading) => partReading.codigo === part) ?? [];
        const text = [
          ...(reading?.values ?? []),
          ...values.flatMap((partReading) => partReading.values),
        ].join(' | ');
        return <bdi title={text}>{text === '' ? '–' : text}</bdi>;
      },
    };
  };
  const partCodes = new Set([...names.values()].flatMap(({ parts }) => parts));
  return [...names]
    .filter(([codigo]) => !partCodes.has(codigo))
    .flatMap(([codigo, { parts }]) =>
      parts.length === 0 ? [columnOf(codigo)] : parts.map((part) => columnOf(codigo, part)),
    );
}
