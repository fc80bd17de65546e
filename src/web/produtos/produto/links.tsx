/** Manufacturers of the product: its links in force. */
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { PagedLink } from '../../api/answers.ts';
import { queryOf } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { PagedTable } from '../../kit/list/paged-table.tsx';
import { Button } from '../../ui/button.tsx';
import { countryName } from '../../ui/countries.ts';
import { Card } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { keyOf, LINK_PAGES } from '../../vinculos/maker.ts';
import { Unlinking } from '../../vinculos/unlinking.tsx';
import { dayText, numberText } from '../../words.ts';

export interface LinksProps {
  readonly cpfCnpjRaiz: string;
  readonly codigo: string;
  /** True if the user may change links, or propose a change. */
  readonly canWrite: boolean;
  /** True for a deactivated product, which gets no more links. */
  readonly isDeactivated: boolean;
}

export function Links({ cpfCnpjRaiz, codigo, canWrite, isDeactivated }: LinksProps) {
  const [, navigate] = useLocation();
  const [linkToRemove, setLinkToRemove] = useState<PagedLink>();
  const pages = usePages<PagedLink>(LINK_PAGES, { cpfCnpjRaiz, codigoProduto: codigo });
  const unlinkColumn: Column<PagedLink> = {
    key: 'unlink',
    title: 'Ação',
    align: 'right',
    cell: (link) => (
      <Button small kind="danger" onPress={() => setLinkToRemove(link)}>
        Desvincular
      </Button>
    ),
  };
  return (
    <Card
      title="Fabricantes e produtores"
      actions={
        canWrite &&
        !isDeactivated && (
          <Button
            small
            icon="plus"
            onPress={() => navigate(`/vinculos${queryOf({ cpfCnpjRaiz, codigoProduto: codigo, novo: 1 })}`)}
          >
            Novo vínculo
          </Button>
        )
      }
    >
      <PagedTable
        pages={pages}
        rowKey={keyOf}
        caption="Fabricantes e produtores vinculados"
        columns={[...columnsFor(cpfCnpjRaiz), ...(canWrite ? [unlinkColumn] : [])]}
        empty="Nenhum fabricante ou produtor vinculado."
      />
      {linkToRemove !== undefined && (
        <Unlinking
          cpfCnpjRaiz={cpfCnpjRaiz}
          links={[linkToRemove]}
          onDone={pages.reload}
          onClose={() => setLinkToRemove(undefined)}
        />
      )}
    </Card>
  );
}

const columnsFor = (cpfCnpjRaiz: string): readonly Column<PagedLink>[] => [
  {
    key: 'who',
    title: 'Fabricante ou produtor',
    cell: ({ nome, codigoOperadorEstrangeiro: operator, cpfCnpjFabricante }) =>
      operator === null ? (
        numberText(cpfCnpjFabricante ?? 'Desconhecido')
      ) : (
        <>
          <Link href={`/operadores/${cpfCnpjRaiz}/${encodeURIComponent(operator)}`}>
            <bdi>{nome ?? operator}</bdi>
          </Link>{' '}
          <span class="product-attribute">{operator}</span>
        </>
      ),
  },
  {
    key: 'codigoPais',
    title: 'País',
    cell: ({ codigoPais }) => `${countryName(codigoPais)} (${codigoPais})`,
  },
  { key: 'startsOn', title: 'Desde', cell: ({ startsOn }) => dayText(startsOn) },
];
