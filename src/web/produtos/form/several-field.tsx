/** An attribute with several values: of a list one after the other, of anything else a field for each. */
import type { JSX } from 'preact';
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
  /** `at`: which one was changed, where it was one. */
  readonly onChange: (change: (value: readonly string[]) => readonly string[], at?: number) => void;
  /** What is said of one of them; of all, where none is named. */
  readonly errorAt: (at?: number) => string | undefined;
}

export function SeveralField(props: SeveralFieldProps): JSX.Element {
  const { dominio, formaPreenchimento } = props.detail;
  return dominio.length > 0 && formaPreenchimento !== 'BOOLEANO' ? (
    <Chosen {...props} />
  ) : (
    <Typed {...props} />
  );
}

function Chosen({ detail, required, value, onChange, errorAt }: SeveralFieldProps): JSX.Element {
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

/** A field stands there to be filled in. */
const atLeastOne = (value: readonly string[]): readonly string[] => (value.length === 0 ? [''] : value);

function Typed({ detail, required, value, onChange, errorAt }: SeveralFieldProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const all = atLeastOne(value);
  const focusAdded = useFocusAdded(all.length, () => fieldsIn(box.current).at(-1));
  const name = nameOf(detail);
  return (
    <div class="several" ref={box}>
      {all.map((one, at) => (
        <ValueField
          key={at}
          detail={detail}
          required={required && at === 0}
          label={at === 0 ? name : `${name} (${at + 1})`}
          value={one}
          error={errorAt(at)}
          onChange={(text) =>
            onChange((now) => atLeastOne(now).map((other, place) => (place === at ? text : other)), at)
          }
        />
      ))}
      <div class="actions">
        <Button
          small
          onPress={() => {
            onChange((now) => [...atLeastOne(now), '']);
            focusAdded();
          }}
        >
          Mais um valor
        </Button>
        {all.length > 1 && (
          <Button small kind="bare" onPress={() => onChange((now) => now.slice(0, -1))}>
            Retirar o último
          </Button>
        )}
      </div>
    </div>
  );
}
