/** Attribute with several values: a combobox for a domain, otherwise one field per value. */
import { useRef } from 'preact/hooks';
import type { AttributeDetail } from '../../../catalogue/attribute/words/model.ts';
import { Button } from '../../ui/button.tsx';
import { Several } from '../../ui/several.tsx';
import { fieldsIn, useFocusAdded } from '../../ui/use-focus-added.ts';
import { guidanceOf, nameOf } from './texts.ts';
import { ValueField, optionsOf } from './value-field.tsx';

export interface SeveralFieldProps {
  readonly detail: AttributeDetail;
  readonly required: boolean;
  readonly value: readonly string[];
  /** `index`: position of the changed value, if only one changed. */
  readonly onChange: (change: (value: readonly string[]) => readonly string[], index?: number) => void;
  /** Returns the error of one value, or of all values without an index. */
  readonly errorAt: (index?: number) => string | undefined;
}

export function SeveralField(props: SeveralFieldProps) {
  const { dominio, formaPreenchimento } = props.detail;
  return dominio.length > 0 && formaPreenchimento !== 'BOOLEANO' ? (
    <ChosenValues {...props} />
  ) : (
    <TypedValues {...props} />
  );
}

function ChosenValues({ detail, required, value, onChange, errorAt }: SeveralFieldProps) {
  const help = guidanceOf(detail);
  return (
    <Several
      error={errorAt()}
      required={required}
      value={value}
      onChange={onChange}
      label={nameOf(detail)}
      {...(help && { help })}
      options={optionsOf(detail)}
      unknown="não está na lista em vigor"
    />
  );
}

/** Returns at least one value, which may be empty, so that the user has a field to fill in. */
const atLeastOne = (value: readonly string[]): readonly string[] => (value.length === 0 ? [''] : value);

function TypedValues({ detail, required, value, onChange, errorAt }: SeveralFieldProps) {
  const listRef = useRef<HTMLDivElement>(null);
  const all = atLeastOne(value);
  const focusAdded = useFocusAdded(all.length, () => fieldsIn(listRef.current).at(-1));
  const name = nameOf(detail);
  return (
    <div class="several" ref={listRef}>
      {all.map((itemValue, index) => (
        <ValueField
          key={index}
          detail={detail}
          required={required && index === 0}
          label={index === 0 ? name : `${name} (${index + 1})`}
          value={itemValue}
          error={errorAt(index)}
          onChange={(text) =>
            onChange(
              (before) => atLeastOne(before).map((other, place) => (place === index ? text : other)),
              index,
            )
          }
        />
      ))}
      <div class="actions">
        <Button
          small
          onPress={() => {
            onChange((before) => [...atLeastOne(before), '']);
            focusAdded();
          }}
        >
          Mais um valor
        </Button>
        {all.length > 1 && (
          <Button small kind="bare" onPress={() => onChange((before) => before.slice(0, -1))}>
            Retirar o último
          </Button>
        )}
      </div>
    </div>
  );
}
