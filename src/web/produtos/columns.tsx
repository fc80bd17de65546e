/** The columns of the list; on the sheet they are the same, as texts. */
import { Link } from 'wouter-preact';
import type { PagedProduct } from '../api/answers.ts';
import { Situation, situationText } from '../ui/badge.tsx';
import type { ChoosableColumn } from '../ui/column-chooser.tsx';
import { moment } from '../words.ts';
import { PRODUCT, type ProductMember } from '../../catalogue/members/product.ts';
import { addressOf, memberText } from './product.ts';

export interface ProductColumn extends ChoosableColumn<PagedProduct> {
  /** In a sheet that is downloaded. */
  readonly text: (product: PagedProduct) => string;
}

/** `asOf`: the day that the list is of; '' is now. */
export const columnsFor = (asOf: string): readonly ProductColumn[] => [
  plain('codigo', 84, 'always', ({ codigo }) => String(codigo), { orderBy: 'codigo', code: true }),
  {
    ...{ key: 'denominacao', title: PRODUCT.denominacao.heading, seen: 'always', orderBy: 'denominacao' },
    text: ({ denominacao }) => denominacao,
    cell: (product) => (
      <Link href={addressOf(product, { dataReferencia: asOf })} title={product.denominacao}>
        <bdi>{product.denominacao}</bdi>
      </Link>
    ),
  },
  {
    ...{ key: 'situacao', title: PRODUCT.situacao.heading, seen: 'at first', width: 130 },
    text: ({ situacao }) => situationText(situacao),
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  plain('ncm', 96, 'at first', ({ ncm }) => ncm ?? '–', { orderBy: 'ncm', code: true }),
  plain('modalidade', 112, 'at first', ({ modalidade }) =>
    modalidade === 'AMBOS' ? 'Ambas' : memberText('modalidade', modalidade) || '–',
  ),
  plain('versao', 76, 'at first', ({ versao }) => versao, { code: true }),
  plain('codigosInterno', 150, 'at first', (one) => one.codigosInterno.join(', '), {
    code: true,
  }),
  plain('descricao', 320, undefined, ({ descricao }) => descricao ?? ''),
  plain('changedAt', 160, undefined, ({ changedAt }) => moment(changedAt), {
    orderBy: 'changedAt',
  }),
];

function plain(
  key: ProductMember,
  width: number,
  seen: ProductColumn['seen'],
  text: ProductColumn['text'],
  more: Pick<ProductColumn, 'orderBy' | 'code'> = {},
): ProductColumn {
  return {
    ...{ key, title: PRODUCT[key].heading, width, text, ...more },
    ...(seen !== undefined && { seen }),
    cell: (product) => <bdi title={text(product)}>{text(product)}</bdi>,
  };
}
