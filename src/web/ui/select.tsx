import { type Bound, Field, type Labelled } from './field.tsx';

export interface Option<V extends string = string> {
  readonly value: V;
  readonly label: string;
  /** Readable form of the value, with its points (`Combobox` only). */
  readonly code?: string;
  /** Text below the option, if the control has space for it. */
  readonly hint?: string;
}

/** Selects one option of a short list. For a long one, use `Combobox`. */
export function Select<V extends string>(
  props: Labelled & Bound<V> & { readonly options: readonly Option<V>[] },
) {
  const { value, onChange, options } = props;
  return (
    <Field {...props}>
      {(control) => (
        <select
          {...control}
          name={props.name}
          value={value}
          disabled={props.disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.value as V)} // always a value of `options`
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Radio buttons: selects one of a few visible options. */
export function Choice<V extends string>(
  props: Pick<Labelled, 'label' | 'disabled'> &
    Bound<V> & {
      readonly name: string;
      readonly options: readonly Option<V>[];
      /** True for small buttons in one line. The label is then for screen readers only. */
      readonly small?: true;
    },
) {
  const { label, name, value, onChange, options, disabled = false, small } = props;
  return (
    <fieldset class={small ? 'choice small' : 'choice'} disabled={disabled}>
      <legend class={small ? 'hidden' : ''}>{label}</legend>
      <div class="choice-options">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span class="choice-label">{option.label}</span>
            {option.hint !== undefined && <span class="choice-hint">{option.hint}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
