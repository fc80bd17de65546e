/** Products that match the filters of the address. The marked products, or all, can be changed at once. */
import { useMemo, useState } from 'preact/hooks';
import type { PagedProduct, ImportStarted } from '../api/answers.ts';
import { everyRow } from '../api/pages.ts';
import { useAction } from '../api/use-action.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { isColumnChosen } from '../kit/list/column-chooser.tsx';
import { isFiltered } from '../kit/list/filters.tsx';
import { List } from '../kit/list/list.tsx';
import { NothingYet } from '../kit/list/nothing-yet.tsx';
import { useCellEditing, type CellEditing } from '../kit/list/cell-editing.tsx';
import { useList } from '../kit/list/use-list.ts';
import { useRemotes } from '../remotos/use-remotes.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button, Actions } from '../ui/button.tsx';
import { dayText, isFullNcm, withCount } from '../words.ts';
import { api } from '../api/api.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { sheetOf } from '../corrigir/each-sheet.ts';
import { IMPORTS } from '../importar/kinds.ts';
import { EachProductDialog } from '../corrigir/each-product-dialog.tsx';
import { EACH_MAX } from '../kit/each/cells.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { CompanyLine } from '../ui/company-name.tsx';
import { ChangeMany, type ChangeManyProps } from './change-many.tsx';
import { columnsFor } from './columns.tsx';
import { FILTERS, remoteFilters } from './filters.tsx';
import { addressOf, PRODUCT_PAGES } from './product.ts';
import { productFills, type ProductFill } from './cells.ts';
import { hasAttributes, useNamesOfNcms } from './produto/use-names.ts';

const keyOf = ({ codigo }: PagedProduct): string => String(codigo);
const nameOf = ({ codigo }: PagedProduct): string => `o produto ${codigo}`;
const labelOf = ({ codigo }: PagedProduct): string => `produto ${codigo}`;

const NO_NCMS: readonly string[] = [];

/** Returns the NCMs of the fetched products that have attributes. */
const ncmsIn = (rows: readonly (PagedProduct | undefined)[]): readonly string[] => [
  ...new Set(
    rows.flatMap((row) => (row !== undefined && row.ncm !== null && hasAttributes(row) ? [row.ncm] : [])),
  ),
];

export function ProductList({ canWrite }: { readonly canWrite: boolean }) {
  const company = useCompany();
  const baseQuery = { cpfCnpjRaiz: company };
  const remotes = useRemotes(company, canWrite);
  const filters = useMemo(() => [...FILTERS, ...remoteFilters(remotes)], [remotes]);
  const list = useList<PagedProduct>({ path: PRODUCT_PAGES, baseQuery, filters, keyOf });
  const { values, apiFilter, choice, pages, marked } = list;
  const { dataReferencia = '', ncm = '', remote = '' } = values;
  const [isNaming, setNaming] = useState(() => isColumnChosen('produtos', 'atributo:'));
  // Without an NCM in the filter, the attributes are those of the products seen.
  const ncms = isFullNcm(ncm) ? [ncm] : ncmsIn(pages.rows);
  const names = useNamesOfNcms(isNaming || isFullNcm(ncm) ? ncms : NO_NCMS);
  const fills = useMemo(() => productFills(names), [names]);
  const editing = useCellEditing({ list, fills, nameOf: labelOf, storageKey: `produtos.${company}` });
  const plain = useMemo(() => columnsFor(dataReferencia, names, remote), [dataReferencia, names, remote]);
  const { columnsOf } = editing;
  const columns = useMemo(() => columnsOf(plain), [columnsOf, plain]);
  const [productsToFill, setProductsToFill] = useState<readonly PagedProduct[]>();
  const ownValues = useAction(list.markedRows, setProductsToFill);
  // A list of a past date is read-only.
  const canChange = canWrite && dataReferencia === '';
  const [changed, setChanged] = useState<Pick<ChangeManyProps, 'codes' | 'matches'>>();
  const isEveryRowChosen = choice.isAll && choice.exceptions.size === 0;
  const reading = useAction(
    () => (isEveryRowChosen ? everyRow<PagedProduct>(PRODUCT_PAGES, list.query) : list.markedRows()),
    (rows) => setChanged({ codes: rows.map(({ codigo }) => codigo) }),
  );
  const change = (): void => {
    const filter = Object.fromEntries(Object.entries(apiFilter).filter(([, value]) => value !== ''));
    // The server rejects an empty filter, so for the whole catalogue each product is sent.
    if (isEveryRowChosen && isFiltered(values))
      setChanged({ codes: [], matches: { filter, total: pages.total ?? 0 } });
    else void reading.run();
  };
  return (
    <>
      <List
        list={list}
        name="produtos"
        caption="Produtos"
        defaultOrder="codigo"
        downloads="choice"
        words={['produto', 'produtos', 'Nenhum produto']}
        columns={columns}
        onColumns={() => setNaming(true)}
        openAt={(product) => addressOf(product, { dataReferencia })}
        choose={canChange ? nameOf : undefined}
        actions={
          canChange && (
            <>
              <Button
                small
                pressed={editing.isOn}
                onPress={() => {
                  setNaming(true);
                  editing.setOn(!editing.isOn);
                }}
              >
                Editar na lista
              </Button>
              <Button small icon="pencil" isBusy={reading.isBusy} disabled={marked === 0} onPress={change}>
                Alterar vários
              </Button>
              <Button
                small
                isBusy={ownValues.isBusy}
                disabled={marked === 0}
                onPress={() => {
                  setNaming(true);
                  void ownValues.run();
                }}
              >
                Cada um o seu
              </Button>
            </>
          )
        }
        note={
          <>
            {dataReferencia !== '' && (
              <Notice tone="calm">Os produtos como estavam no fim de {dayText(dataReferencia)}.</Notice>
            )}
            <ErrorAlert error={reading.error} />
            <ErrorAlert error={ownValues.error} />
            {canChange && editing.isOn && <CellsBar company={company} editing={editing} fills={fills} />}
          </>
        }
        nothing={
          <NothingYet
            records="produtos neste catálogo"
            company={company}
            firstStep={canWrite ? ['um produto novo', addressFor('/produtos/novo', company)] : undefined}
          />
        }
      />
      {productsToFill !== undefined && (
        <EachChosen
          company={company}
          products={productsToFill}
          fills={fills}
          onClose={() => setProductsToFill(undefined)}
        />
      )}
      {changed !== undefined && (
        <ChangeMany
          company={company}
          {...changed}
          ncm={ncm}
          attribute={values.lacks}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  );
}

/** Bar of the list while its cells are edited: what changed, the dry run, and the way to discard it. */
function CellsBar(props: {
  readonly company: string;
  readonly editing: CellEditing<PagedProduct>;
  readonly fills: readonly ProductFill[];
}) {
  const { company, editing, fills } = props;
  const { rows, count, form, setOn, choices, error } = editing;
  const openImport = useOpenImport();
  const check = async (): Promise<void> => {
    const changed = fills.filter(({ target }) => rows.some(({ cells }) => target in cells));
    // Each row has the text of all these columns, so that an empty cell means an emptied one.
    const filled = rows.map(({ row, cells }) => ({
      product: row,
      cells: changed.map(({ target, currentText }) => cells[target] ?? currentText(row)),
    }));
    const body = sheetOf(company, changed, filled, { reactivate: false, empty: 'apagar' });
    const started = await form.submit(() => api.post<ImportStarted>(IMPORTS, body));
    if (started !== undefined) openImport(started.id, company);
  };
  return (
    <div class="cells-bar">
      {choices}
      <p role="status">
        {count === 0
          ? 'Escreva nas células ou cole uma coluna. Enter desce, Escape devolve o que havia.'
          : `${withCount(count, 'célula alterada', 'células alteradas')} em ${withCount(rows.length, 'produto', 'produtos')}; nada foi gravado.`}
      </p>
      <Actions>
        <Button small kind="primary" isBusy={form.isBusy} disabled={count === 0} onPress={() => void check()}>
          Conferir sem gravar
        </Button>
        <Button
          small
          onPress={() => {
            form.reset();
            setOn(false);
          }}
        >
          {count === 0 ? 'Terminar' : 'Descartar'}
        </Button>
      </Actions>
      <ErrorAlert error={form.error} />
      <ErrorAlert error={error} />
    </div>
  );
}

/**
 * Dialog to fill in different values for each selected product. The user first selects the fields, then fills
 * in one row per product.
 */
function EachChosen(props: {
  readonly company: string;
  readonly products: readonly PagedProduct[];
  readonly fills: readonly ProductFill[];
  readonly onClose: () => void;
}) {
  const { company, fills, onClose } = props;
  const products = props.products.slice(0, EACH_MAX);
  const [targets, setTargets] = useState<readonly string[]>([]);
  const [isFilling, setFilling] = useState(false);
  const chosenFills = fills.filter(({ target }) => targets.includes(target));
  if (isFilling)
    return (
      <EachProductDialog
        company={company}
        products={products}
        fills={chosenFills}
        currentOf={(product, target) =>
          chosenFills.find((productFill) => productFill.target === target)?.currentText(product) ?? ''
        }
        offersActivation={false}
        activatesByDefault={false}
        note={undefined}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Cada um o seu" onClose={onClose}>
      <div class="stack">
        <CompanyLine />
        <p>
          {withCount(products.length, 'produto', 'produtos')}
          {props.products.length > EACH_MAX && ', os primeiros: de mais, use a planilha'}. O que preencher em
          cada um?
        </p>
        {fills.map(({ target, heading }) => (
          <Checkbox
            key={target}
            label={heading}
            value={targets.includes(target)}
            onChange={(isChecked) =>
              setTargets(isChecked ? [...targets, target] : targets.filter((other) => other !== target))
            }
          />
        ))}
        <Actions>
          <Button kind="primary" disabled={targets.length === 0} onPress={() => setFilling(true)}>
            Preencher
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </div>
    </Dialog>
  );
}
