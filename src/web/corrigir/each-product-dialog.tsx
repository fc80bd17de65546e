/** Gives each product its own value through a sheet that the server imports. A dry run comes first. */
import { useState } from 'preact/hooks';
import type { ImportStarted, PagedProduct } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { IMPORTS } from '../importar/kinds.ts';
import { type Fill, isFilled } from '../kit/each/cells.ts';
import { EachDialog } from '../kit/each/each-dialog.tsx';
import { Notice } from '../ui/alert.tsx';
import { Checkbox } from '../ui/field.tsx';
import { sheetOf } from './each-sheet.ts';

export interface EachProductDialogProps {
  readonly company: string;
  readonly products: readonly PagedProduct[];
  readonly fills: readonly Fill[];
  /** Returns the current value of a product at a target. */
  readonly currentOf: (product: PagedProduct, target: string) => string;
  /** True if the products are deactivated: the user may activate them. */
  readonly offersActivation: boolean;
  /** Initial value of the checkbox that activates the products. */
  readonly activatesByDefault: boolean;
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function EachProductDialog(props: EachProductDialogProps) {
  const { company, products, fills, currentOf, offersActivation, note, onClose } = props;
  const [activates, setActivates] = useState(props.activatesByDefault);
  const openImport = useOpenImport();
  const targets = fills.map(({ target }) => target);
  return (
    <EachDialog
      storageKey={JSON.stringify([company, targets, products.map(({ codigo }) => codigo)])}
      fills={fills}
      onClose={onClose}
      words={['produto', 'produtos']}
      submit="Conferir sem gravar"
      rows={products.map((product) => ({
        number: product.codigo,
        name: product.denominacao,
        currentOf: (target) => currentOf(product, target),
      }))}
      send={(cells) => {
        const rows = products.flatMap((product, index) => {
          const own = cells[index] ?? [];
          return isFilled([own]) ? [{ product, cells: own }] : [];
        });
        const body = sheetOf(company, fills, rows, { reactivate: activates, empty: 'manter' });
        return api.post<ImportStarted>(IMPORTS, body);
      }}
      onDone={({ id }) => openImport(id, company)}
      note={note !== undefined && <Notice tone="calm">{note}</Notice>}
    >
      {offersActivation && (
        <Checkbox label="Ativar os que estão desativados" value={activates} onChange={setActivates} />
      )}
    </EachDialog>
  );
}
