/** Field for one replacement. Its buttons empty the cells, or leave their rows out. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Fix, Removal } from './chosen-corrections.ts';

/** Longer lists use a text field: the server rejects unknown values. */
const CHOSEN_FROM_MAX = 200;

const REMOVED: Readonly<Record<Removal, string>> = {
  empty: 'fica vazia',
  skip: 'a linha fica de fora',
};

export function FixField(props: {
  readonly fix: Fix;
  readonly value: string;
  readonly removal: Removal | undefined;
  readonly onFix: (value: string) => void;
  /** Called without a removal to take it back. */
  readonly onRemove: (removal: Removal | undefined) => void;
}): JSX.Element {
  const { fix, value, removal, onFix, onRemove } = props;
  const { label, accepted, received, outOfPlace } = fix;
  const id = useId();
  // An empty cell cannot be emptied.
  const canEmpty = outOfPlace !== undefined || (received ?? '') !== '';
  if (removal !== undefined)
    return (
      <div class="fix">
        <p id={id}>
          {label}: <strong>{REMOVED[removal]}</strong>
        </p>
        <Button small kind="bare" describedBy={id} onPress={() => onRemove(undefined)}>
          Voltar a corrigir
        </Button>
      </div>
    );
  const bound = { label, value, onChange: onFix };
  return (
    <div class="fix">
      {outOfPlace !== undefined ? (
        <p>{label}</p>
      ) : accepted === null || accepted.length > CHOSEN_FROM_MAX ? (
        <Input {...bound} />
      ) : (
        <Select
          {...bound}
          options={[
            { value: '', label: 'deixar como está' },
            ...accepted.map((acceptedValue) => ({ value: acceptedValue, label: acceptedValue })),
          ]}
        />
      )}
      <span id={id} hidden>
        {label}
      </span>
      <Actions>
        {canEmpty && (
          <Button small kind="bare" describedBy={id} onPress={() => onRemove('empty')}>
            Esvaziar
          </Button>
        )}
        <Button small kind="bare" describedBy={id} onPress={() => onRemove('skip')}>
          Deixar de fora
        </Button>
      </Actions>
    </div>
  );
}
