/** Columns of the list of links. */
import { Link } from 'wouter-preact';
import type { PagedLink } from '../api/answers.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { addressOf as operatorAddress } from '../operadores/operator.ts';
import { addressOf as productAddress } from '../produtos/product.ts';
import { Button } from '../ui/button.tsx';
import { countryName } from '../ui/countries.ts';
import { dayText } from '../words.ts';
import { makerText } from './maker.ts';

/** `onUnlink`: present when the user may write. */
export const columnsFor = (
  cpfCnpjRaiz: string,
  onUnlink: ((link: PagedLink) => void) | undefined,
): readonly ListColumn<PagedLink>[] => [
  {
    key: 'product',
    targets: ['codigoProduto', 'denominacao'],
    title: 'Produto',
    visibility: 'always',
    cell: ({ codigoProduto, denominacao }) => (
      <>
        <code>{codigoProduto}</code>{' '}
        <Link href={productAddress({ cpfCnpjRaiz, codigo: codigoProduto })} title={denominacao}>
          <bdi>{denominacao}</bdi>
        </Link>
      </>
    ),
  },
  {
    key: 'maker',
    targets: ['conhecido', 'codigoOperadorEstrangeiro', 'nome', 'cpfCnpjFabricante'],
    title: 'Fabricante ou produtor',
    width: 280,
    visibility: 'always',
    cell: (link) =>
      link.codigoOperadorEstrangeiro === null ? (
        makerText(link)
      ) : (
        <Link
          href={operatorAddress({ cpfCnpjRaiz, codigo: link.codigoOperadorEstrangeiro })}
          title={makerText(link)}
        >
          <bdi>{makerText(link)}</bdi>
        </Link>
      ),
  },
  {
    key: 'country',
    targets: ['codigoPais'],
    title: 'País',
    width: 140,
    visibility: 'at first',
    cell: ({ codigoPais }) => (
      <>
        <code>{codigoPais}</code> {countryName(codigoPais)}
      </>
    ),
  },
  {
    key: 'since',
    targets: ['startsOn'],
    title: 'Desde',
    width: 110,
    visibility: 'at first',
    cell: ({ startsOn }) => dayText(startsOn),
  },
  ...(onUnlink === undefined ? [] : [unlinkColumn(onUnlink)]),
];

const unlinkColumn = (onUnlink: (link: PagedLink) => void): ListColumn<PagedLink> => ({
  key: 'unlink',
  targets: [],
  title: 'Ação',
  width: 130,
  visibility: 'always',
  cell: (link) => (
    <Button kind="bare" small onPress={() => onUnlink(link)}>
      Desvincular
    </Button>
  ),
});
