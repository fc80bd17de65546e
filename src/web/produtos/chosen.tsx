/** The products of the list that somebody has marked. */
import { useCallback, useState } from 'preact/hooks';
import type { PagedProduct } from '../api/answers.ts';
import type { Column } from '../ui/table.tsx';

export interface Chosen {
  /** Their codes. */
  readonly chosen: ReadonlySet<number>;
  readonly toggle: (product: PagedProduct) => void;
  readonly clear: () => void;
}

const NONE: ReadonlySet<number> = new Set();

/** `question`: when it becomes another one, nothing is marked any more. */
export function useChosen(question: string): Chosen {
  const [marked, setMarked] = useState({ of: question, codes: NONE });
  const clear = useCallback(() => setMarked({ of: question, codes: NONE }), [question]);
  const toggle = useCallback(
    ({ codigo }: PagedProduct) =>
      setMarked((before) => {
        const codes = new Set(before.of === question ? before.codes : NONE);
        if (!codes.delete(codigo)) codes.add(codigo);
        return { of: question, codes };
      }),
    [question],
  );
  return { chosen: marked.of === question ? marked.codes : NONE, toggle, clear };
}

export const chooseColumn = (
  chosen: ReadonlySet<number>,
  toggle: (product: PagedProduct) => void,
): Column<PagedProduct> => ({
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
