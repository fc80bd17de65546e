/** Selects several options of a long list, one after the other. Each appears below and can be removed. */
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Combobox } from './combobox.tsx';
import type { Labelled } from './field.tsx';
import type { Option } from './select.tsx';

export interface SeveralProps extends Labelled {
  readonly options: readonly Option[];
  readonly value: readonly string[];
  readonly onChange: (change: (value: readonly string[]) => readonly string[]) => void;
  readonly error?: string | undefined;
  /** Text for a value that the list lacks. */
  readonly unknown?: string;
}

export function Several({ options, value, onChange, unknown = '', ...field }: SeveralProps) {
  const listRef = useRef<HTMLDivElement>(null);
  const selectedOptions = value.map(
    (code) => options.find((option) => option.value === code) ?? { value: code, label: unknown },
  );
  return (
    <div class="several" ref={listRef}>
      <Combobox
        {...field}
        choosesOnEnter
        placeholder={value.length === 0 ? 'Procurar…' : 'Mais um…'}
        options={options.filter((option) => !value.includes(option.value))}
        value=""
        onChange={(newValue) =>
          newValue !== '' &&
          onChange((before) => (before.includes(newValue) ? before : [...before, newValue]))
        }
      />
      {selectedOptions.length > 0 && (
        <ul class="chips">
          {selectedOptions.map(({ value: optionValue, code = optionValue, label }) => (
            <li key={optionValue}>
              <span>
                <code>{code}</code> <bdi>{label}</bdi>
              </span>
              <Button
                kind="bare"
                small
                label={`Retirar ${code} ${label}`}
                onPress={() => {
                  onChange((before) => before.filter((other) => other !== optionValue));
                  listRef.current?.querySelector('input')?.focus();
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
