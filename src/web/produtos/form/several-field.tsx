/** An attribute with several values: of a list one after the other, of anything else a field for each. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { AttributeDetail } from '../../../catalogue/attribute/words/model.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
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
  const box = useRef<HTMLDivElement>(null);
  const help = guidanceOf(detail);
  const options = optionsOf(detail);
  const textOf = (code: string): string => options.find((option) => option.value === code)?.label ?? '';
  return (
    <div class="product-several" ref={box}>
      <Combobox
        {...{ error: errorAt(), required, label: nameOf(detail), ...(help && { help }) }}
        patient
        placeholder={value.length === 0 ? 'Procurar…' : 'Mais um…'}
        options={options.filter((option) => !value.includes(option.value))}
        value=""
        onChange={(code) => code !== '' && onChange((now) => (now.includes(code) ? now : [...now, code]))}
      />
      {value.length > 0 && (
        <ul class="product-chips">
          {value.map((code) => (
            <li key={code}>
              <span>
                <code>{code}</code> <bdi>{textOf(code) || 'não está na lista em vigor'}</bdi>
              </span>
              <Button
                kind="bare"
                small
                label={`Retirar ${code} ${textOf(code)}`}
                onPress={() => {
                  onChange((now) => now.filter((one) => one !== code));
                  box.current?.querySelector('input')?.focus();
                }}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
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
    <div class="product-several" ref={box}>
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
