/** Lists the links in force of the company, a product or an operator, and removes some or all. */
import { useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { PagedLink } from '../api/answers.ts';
import { useAction } from '../api/use-action.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { NothingYet } from '../kit/list/nothing-yet.tsx';
import { useList } from '../kit/list/use-list.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { withCount, dayText } from '../words.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { addressOf as operatorAddress } from '../operadores/operator.ts';
import { addressOf as productAddress } from '../produtos/product.ts';
import { countryName } from '../ui/countries.ts';
import { OperatorField, ProductField } from './fields.tsx';
import { keyOf, LINK_PAGES, makerText } from './maker.ts';
import { Unlinking } from './unlinking.tsx';

const filtersFor = (cpfCnpjRaiz: string): readonly Filter[] => [
  {
    name: 'codigoProduto',
    label: 'Produto',
    field: (binding) => <ProductField withDeactivated cpfCnpjRaiz={cpfCnpjRaiz} {...binding} />,
  },
  {
    name: 'codigoOperadorEstrangeiro',
    label: 'Operador estrangeiro',
    field: (binding) => <OperatorField withDeactivated cpfCnpjRaiz={cpfCnpjRaiz} {...binding} />,
  },
];

const nameOf = (link: PagedLink): string => `${link.codigoProduto}, ${makerText(link)}`;

export function LinkList({ canWrite }: { readonly canWrite: boolean }) {
  const company = useCompany();
  const baseQuery = { cpfCnpjRaiz: company };
  const filters = useMemo(() => filtersFor(company), [company]);
  const list = useList<PagedLink>({ path: LINK_PAGES, baseQuery, filters, keyOf });
  const { marked } = list;
  const [linksToRemove, setLinksToRemove] = useState<readonly PagedLink[]>();
  const reading = useAction(list.markedRows, setLinksToRemove);
  return (
    <>
      <List
        list={list}
        name="vinculos"
        caption="Vínculos em vigor"
        downloads="choice"
        words={['vínculo', 'vínculos', 'Nenhum vínculo']}
        columns={useMemo(
          () => columnsFor(company, canWrite ? (link) => setLinksToRemove([link]) : undefined),
          [company, canWrite],
        )}
        choose={canWrite ? nameOf : undefined}
        actions={
          marked > 0 && (
            <Button small kind="danger" isBusy={reading.isBusy} onPress={() => void reading.run()}>
              Desvincular {withCount(marked, 'escolhido', 'escolhidos')}
            </Button>
          )
        }
        note={<ErrorAlert error={reading.error} />}
        nothing={
          <NothingYet
            records="vínculos entre produtos e fabricantes neste catálogo"
            company={company}
            firstStep={
              canWrite ? ['um vínculo novo', `${addressFor('/vinculos', company)}&novo=1`] : undefined
            }
          />
        }
      />
      {linksToRemove !== undefined && (
        <Unlinking
          cpfCnpjRaiz={company}
          links={linksToRemove}
          onDone={() => {
            list.choice.clear();
            list.pages.reload();
          }}
          onClose={() => setLinksToRemove(undefined)}
        />
      )}
    </>
  );
}

/** `onUnlink`: present when the user may write. */
const columnsFor = (
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
