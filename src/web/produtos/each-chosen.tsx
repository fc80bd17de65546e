/**
 * Dialog to fill in different values for each selected product. The user first selects the fields, then fills
 * in one row per product.
 */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PagedProduct } from '../api/answers.ts';
import { EachProductDialog } from '../corrigir/each-product-dialog.tsx';
import { EACH_MAX } from '../kit/each/cells.ts';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox } from '../ui/field.tsx';
import { CompanyLine } from '../ui/company-name.tsx';
import { withCount } from '../words.ts';
import type { ProductFill } from './cells.ts';

export function EachChosen(props: {
  readonly company: string;
  readonly products: readonly PagedProduct[];
  readonly fills: readonly ProductFill[];
  readonly onClose: () => void;
}): JSX.Element {
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
