/**
 * Corrects the products of one reason, of one NCM or of all. All of them, or the marked ones, get one common
 * value or a value each.
 */
import { useMemo, useState } from 'preact/hooks';
import type { ImportStarted, MendingReason, PagedProduct } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { everyRow } from '../api/pages.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { CHANGES, ChangeMany, type ChangeManyProps } from '../produtos/change-many.tsx';
import { columnsFor as productColumns } from '../produtos/columns.tsx';
import { PRODUCT_PAGES, addressOf } from '../produtos/product.ts';
import type { AttributeNames } from '../produtos/produto/reading.ts';
import { useNamesOf } from '../produtos/produto/use-names.ts';
import type { Filter } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { EACH_MAX, type Fill, fillsOf } from '../kit/each/cells.ts';
import type { ListColumn } from '../kit/list/column-chooser.tsx';
import { useList } from '../kit/list/use-list.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { NcmDescription } from '../ui/ncm.tsx';
import { Card } from '../ui/page.tsx';
import { useRestoreFocusOnMount } from '../ui/use-restore-focus.ts';
import { countText, ncmText } from '../words.ts';
import { EachProductDialog } from './each-product-dialog.tsx';
import {
  BY_SYSTEM,
  type QueueSource,
  reasonFilterOf,
  attributeIn,
  filterOf,
  isOutOfPlace,
  isPart,
  currentTextOf,
} from './mending.ts';
import { ReasonText } from './reason-text.tsx';

export interface GroupProps {
  readonly queue: QueueSource;
  readonly mendingReason: MendingReason;
  /** '': all NCMs. */
  readonly ncm: string;
  readonly onBack: () => void;
}

const keyOf = ({ codigo }: PagedProduct): string => String(codigo);
const nameOf = ({ codigo }: PagedProduct): string => `o produto ${codigo}`;

const FILTERS: readonly Filter[] = [
  { name: 'text', label: 'Palavras', field: (binding) => <Input type="search" {...binding} /> },
];

export function Group({ queue, mendingReason, ncm, onBack }: GroupProps) {
  useRestoreFocusOnMount();
  const { company, toMend, on } = queue;
  const openImport = useOpenImport();
  const mayWrite = rolesOf(useSession()).includes('representative');
  const first = ncm === '' ? (mendingReason.ncms[0]?.ncm ?? '') : ncm;
  const { names } = useNamesOf(first);
  const fills = useMemo(() => fillsOf(mendingReason), [mendingReason]);
  const filter = filterOf(queue, { ...reasonFilterOf(mendingReason), ncm });
  const list = useList<PagedProduct>({
    path: PRODUCT_PAGES,
    baseQuery: { cpfCnpjRaiz: company, ...filter },
    filters: FILTERS,
    keyOf,
  });
  const { marked, choice, apiFilter, pages } = list;
  // Without a mark, all products are selected.
  const isEveryRowChosen = marked === 0 || (choice.isAll && choice.exceptions.size === 0);
  const visibleFilter = { ...filter, ...(apiFilter['text'] !== '' && { text: apiFilter['text'] }) };
  const [changed, setChanged] = useState<Pick<ChangeManyProps, 'codes' | 'matches'>>();
  const [productsToFill, setProductsToFill] = useState<readonly PagedProduct[]>();
  const offersActivation = toMend === BY_SYSTEM;
  const activates = offersActivation && mendingReason.alone === mendingReason.count;
  const note = offersActivation && !activates ? othersNote(mendingReason) : undefined;
  const codesOf = (rows: readonly PagedProduct[]) => rows.map(({ codigo }) => Number(codigo));
  const sharedValue = useAction(list.markedRows, (rows) => setChanged({ codes: codesOf(rows) }));
  const openSharedValue = (): void => {
    if (isEveryRowChosen)
      setChanged({ codes: [], matches: { filter: visibleFilter, total: pages.total ?? 0 } });
    else void sharedValue.run();
  };
  const ownValues = useAction(
    () =>
      isEveryRowChosen
        ? everyRow<PagedProduct>(PRODUCT_PAGES, list.query, {}, { from: 0, to: EACH_MAX })
        : list.markedRows(),
    (rows) => setProductsToFill(rows.slice(0, EACH_MAX)),
  );
  const attribute = attributeIn(mendingReason.member);
  const removing = useAction(
    async () => {
      const rows = isEveryRowChosen ? undefined : await list.markedRows();
      if (rows?.ok === false) return rows;
      return api.post<ImportStarted>(CHANGES, {
        cpfCnpjRaiz: company,
        ...(rows === undefined ? { filter: visibleFilter } : { codigos: codesOf(rows.value) }),
        set: { atributos: { [attribute ?? '']: null } },
        simular: true,
      });
    },
    ({ id }) => openImport(id, company),
  );
  const name = mendingReason.heading ?? 'O produto inteiro';
  return (
    <Card
      title={`${name}${ncm === '' ? '' : `, NCM ${ncmText(ncm)}`}`}
      actions={<Button onPress={onBack}>Todos os motivos</Button>}
    >
      <div class="stack">
        {ncm !== '' && (
          <p>
            <NcmDescription code={ncm} />
          </p>
        )}
        <ReasonText mendingReason={mendingReason} toMend={toMend} />
        <List
          list={list}
          name="a-corrigir"
          caption="Produtos a corrigir"
          defaultOrder="codigo"
          words={['produto', 'produtos', 'Nenhum produto']}
          columns={useMemo(() => columnsWith(fills, names), [fills, names])}
          openAt={(product) => addressOf(product)}
          choose={mayWrite ? nameOf : undefined}
          downloads="visible"
          actions={
            mayWrite && (
              <>
                {attribute !== undefined && isOutOfPlace(mendingReason) && (
                  <Button small kind="primary" isBusy={removing.isBusy} onPress={() => void removing.run()}>
                    Retirar o atributo
                  </Button>
                )}
                {attribute !== undefined && !isOutOfPlace(mendingReason) && !isPart(mendingReason) && (
                  <Button small kind="primary" isBusy={sharedValue.isBusy} onPress={openSharedValue}>
                    Um valor para todos
                  </Button>
                )}
                {fills.length > 0 && !isOutOfPlace(mendingReason) && (
                  <Button
                    small
                    kind={attribute === undefined || isPart(mendingReason) ? 'primary' : 'quiet'}
                    isBusy={ownValues.isBusy}
                    onPress={() => void ownValues.run()}
                  >
                    Cada um o seu
                  </Button>
                )}
              </>
            )
          }
          note={
            <>
              <ErrorAlert error={sharedValue.error} />
              <ErrorAlert error={ownValues.error} />
              <ErrorAlert error={removing.error} />
            </>
          }
          nothing="Nenhum produto tem mais este motivo."
        />
      </div>
      {changed !== undefined && (
        <ChangeMany
          company={company}
          {...changed}
          ncm={first}
          attribute={attribute}
          on={on}
          reactivates={activates}
          note={note}
          onClose={() => setChanged(undefined)}
        />
      )}
      {productsToFill !== undefined && (
        <EachProductDialog
          company={company}
          fills={fills}
          currentOf={currentTextOf}
          products={productsToFill}
          offersActivation={offersActivation}
          activatesByDefault={activates}
          note={note}
          onClose={() => setProductsToFill(undefined)}
        />
      )}
    </Card>
  );
}

const othersNote = ({ alone, count: all }: MendingReason): string =>
  `De ${countText(all)} produtos com este motivo, ${countText(all - alone)} têm outro também: se forem ativados agora, esses são recusados. Sem ativar, o valor fica gravado, e os que não têm mais nada que falte ficam prontos.`;

/**
 * Returns the columns that identify a product and show its current values, as words when the table in force
 * has them.
 */
function columnsWith(fills: readonly Fill[], names: AttributeNames): readonly ListColumn<PagedProduct>[] {
  const targets = fills.map(({ target }) => target);
  const visibleKeys = new Set(['codigo', 'denominacao', 'ncm', 'versao', ...targets]);
  const visibleColumns = productColumns('', names).filter(({ key }) => visibleKeys.has(key));
  const others = fills
    .filter(({ target }) => !visibleColumns.some(({ key }) => key === target))
    .map(({ target, heading }): ListColumn<PagedProduct> => ({
      key: target,
      title: heading,
      width: 200,
      cell: (product) => {
        const currentText = currentTextOf(product, target);
        return <bdi title={currentText}>{currentText === '' ? '–' : currentText}</bdi>;
      },
    }));
  // All columns are visible: there is nothing to choose.
  return [...visibleColumns.map(({ visibility: _, ...column }) => column), ...others];
}
