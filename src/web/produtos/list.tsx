/** The products that the filters of the address find, however many; the marked ones, or all, are changed at once. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PagedProduct } from '../api/answers.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { isFiltered } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { NothingYet } from '../kit/list/nothing.tsx';
import { useList } from '../kit/list/use-list.ts';
import { Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { day } from '../words.ts';
import { ChangeMany } from './change-many.tsx';
import { columnsFor } from './columns.tsx';
import { FILTERS } from './filters.tsx';
import { addressOf, PRODUCT_PAGES } from './product.ts';

const keyOf = ({ codigo }: PagedProduct): string => String(codigo);
const nameOf = ({ codigo }: PagedProduct): string => `o produto ${codigo}`;

export function ProductList({ canWrite }: { readonly canWrite: boolean }): JSX.Element {
  const company = useCompany();
  const of = { cpfCnpjRaiz: company };
  const list = useList<PagedProduct>({ path: PRODUCT_PAGES, of, filters: FILTERS, keyOf });
  const { values, asked, choice, pages } = list;
  const { dataReferencia = '' } = values;
  // Of a day of the past nothing can be changed.
  const canChange = canWrite && dataReferencia === '';
  const [isChanging, setChanging] = useState(false);
  const found = {
    filter: Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')),
    ...{ total: pages.total ?? 0, isFiltered: isFiltered(values) },
  };
  return (
    <>
      <List
        {...{ list, name: 'produtos', caption: 'Produtos', usualOrder: 'codigo', downloadsSeen: true }}
        words={['produto', 'produtos', 'Nenhum produto']}
        columns={useMemo(() => columnsFor(dataReferencia), [dataReferencia])}
        openAt={(product) => addressOf(product, { dataReferencia })}
        choose={canChange ? nameOf : undefined}
        actions={
          canChange && (
            <Button small icon="pencil" onPress={() => setChanging(true)}>
              Alterar vários
            </Button>
          )
        }
        note={
          dataReferencia !== '' && (
            <Notice tone="calm">Os produtos como estavam no fim de {day(dataReferencia)}.</Notice>
          )
        }
        nothing={
          <NothingYet
            {...{ what: 'produtos neste catálogo', company }}
            first={canWrite ? ['um produto novo', addressFor('/produtos/novo', company)] : undefined}
          />
        }
      />
      {isChanging && (
        <ChangeMany
          {...{ company, found, ncm: values['ncm'] ?? '' }}
          chosen={[...choice.chosen.values()].map(({ codigo }) => codigo)}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}
