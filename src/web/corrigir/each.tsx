/** Gives each product its own value through a sheet that the server imports. A dry run comes first. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportStarted, PagedProduct } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useOpenImport } from '../api/use-open-import.ts';
import { IMPORTS } from '../importar/kinds.ts';
import type { Fill } from '../kit/each/cells.ts';
import { EachDialog } from '../kit/each/each-dialog.tsx';
import { Notice } from '../ui/alert.tsx';
import { Checkbox } from '../ui/field.tsx';
import { sheetOf } from './each-sheet.ts';
import { nowIn } from './mending.ts';

export interface EachProps {
  readonly company: string;
  readonly products: readonly PagedProduct[];
  readonly fills: readonly Fill[];
  /** True when the products are deactivated. */
  readonly isToActivate: boolean;
  /** The default until the user changes it. */
  readonly activates: boolean;
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function Each(props: EachProps): JSX.Element {
  const { company, products, fills, isToActivate, note, onClose } = props;
  const [activates, setActivates] = useState(props.activates);
  const openImport = useOpenImport();
  const targets = fills.map(({ target }) => target);
  return (
    <EachDialog
      keep={JSON.stringify([company, targets, products.map(({ codigo }) => codigo)])}
      fills={fills}
      onClose={onClose}
      words={['produto', 'produtos']}
      submit="Conferir sem gravar"
      rows={products.map((product) => ({
        number: product.codigo,
        name: product.denominacao,
        now: (target) => nowIn(product, target),
      }))}
      send={(cells) => api.post<ImportStarted>(IMPORTS, sheetOf(company, products, fills, cells, activates))}
      onDone={({ id }) => openImport(id, company)}
      note={note !== undefined && <Notice tone="calm">{note}</Notice>}
    >
      {isToActivate && (
        <Checkbox label="Ativar os que estão desativados" value={activates} onChange={setActivates} />
      )}
    </EachDialog>
  );
}
