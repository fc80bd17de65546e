/** The columns of the list, under the words by which the download has them too. */
import { Link } from 'wouter-preact';
import { PRODUCT } from '../../catalogue/members/product.ts';
import type { PagedProduct } from '../api/answers.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { memberColumnOf } from '../kit/list/member-column.tsx';
import { Situation } from '../ui/badge.tsx';
import { addressOf, memberText } from './product.ts';

const member = memberColumnOf(PRODUCT);

/** `asOf`: the day that the list is of; '' is now. */
export const columnsFor = (asOf: string): readonly ListColumn<PagedProduct>[] => [
  member('codigo', 84, { seen: 'always', orderBy: 'codigo' }),
  {
    ...{ key: 'denominacao', title: PRODUCT.denominacao.heading, seen: 'always', orderBy: 'denominacao' },
    cell: (product) => (
      <Link href={addressOf(product, { dataReferencia: asOf })} title={product.denominacao}>
        <bdi>{product.denominacao}</bdi>
      </Link>
    ),
  },
  {
    ...member('situacao', 130, { seen: 'at first' }),
    cell: ({ situacao }) => <Situation situacao={situacao} />,
  },
  member('ncm', 96, { seen: 'at first', orderBy: 'ncm' }),
  {
    ...member('modalidade', 112, { seen: 'at first' }),
    cell: ({ modalidade }) =>
      modalidade === 'AMBOS' ? 'Ambas' : memberText('modalidade', modalidade) || '–',
  },
  member('versao', 76, { seen: 'at first' }),
  member('codigosInterno', 150, { seen: 'at first' }),
  member('descricao', 320),
  member('changedAt', 160, { orderBy: 'changedAt' }),
];
