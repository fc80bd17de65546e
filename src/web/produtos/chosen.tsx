/** The products of the list that somebody has marked. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Column } from '../ui/table.tsx';
import type { ListedProduct } from './product.ts';

export interface Chosen {
  /** Their codes. */
  readonly chosen: ReadonlySet<number>;
  readonly toggle: (product: ListedProduct) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<number> = new Set();

/** `question`: when it becomes another one, nothing is marked any more. */
export function useChosen(question: string): Chosen {
  const [chosen, setChosen] = useState(NONE);
  const clear = useCallback(() => setChosen(NONE), []);
  useEffect(clear, [question, clear]);
  const toggle = useCallback(
    ({ codigo }: ListedProduct) =>
      setChosen((before) => {
        const after = new Set(before);
        if (!after.delete(codigo)) after.add(codigo);
        return after;
      }),
    [],
  );
  return { chosen, toggle, clear };
}

export const chooseColumn = (
  chosen: ReadonlySet<number>,
  toggle: (product: ListedProduct) => void,
): Column<ListedProduct> => ({
  ...{ key: 'choose', title: '', width: 40 },
  cell: (product) => (
    <input
      type="checkbox"
      class="products-choose"
      aria-label={`Escolher o produto ${product.codigo}`}
      checked={chosen.has(product.codigo)}
      onChange={() => toggle(product)}
    />
  ),
});
