/** Form field: label above; help, or the error in its place, below. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Binding of a form (`useForm().field(name)`). */
export interface Bound<V> {
  readonly name?: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly error?: string | undefined;
}

export interface Labelled {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** Attributes of the control that connect label, help and error to it. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-required': 'true' | undefined;
}

/** Frame of any control: standard or custom. */
export function Field(
  props: Pick<Labelled, 'label' | 'help' | 'required'> & {
    readonly error?: string | undefined;
    /** Content at the end of the line below the control: a counter. */
    readonly aside?: ComponentChildren;
    readonly children: (control: ControlProps) => ComponentChildren;
  },
) {
  const { label, help, required = false, error, aside, children } = props;
  const id = useId();
  const isWrong = error !== undefined && error !== '';
  const below = `${id}-about`;
  const hasBelow = isWrong || help !== undefined;
  return (
    <div class={`field${isWrong ? ' wrong' : ''}`}>
      <label for={id}>{label}</label>
      {required && (
        <span class="required" aria-hidden="true">
          obrigatório
        </span>
      )}
      {children({
        id,
        'aria-invalid': isWrong ? 'true' : undefined,
        'aria-describedby': hasBelow ? below : undefined,
        'aria-required': required ? 'true' : undefined,
      })}
      {(hasBelow || aside !== undefined) && (
        <div class="field-below">
          {hasBelow && <p id={below}>{isWrong ? error : help}</p>}
          {aside !== undefined && <span class="field-aside">{aside}</span>}
        </div>
      )}
    </div>
  );
}

export interface InputProps extends Labelled, Bound<string> {
  readonly type?: 'text' | 'password' | 'search' | 'url';
  readonly autocomplete?: 'off' | 'username' | 'current-password' | 'new-password';
  readonly inputMode?: 'numeric' | 'decimal';
  readonly placeholder?: string;
  /** Shows how many characters are left. Nothing is cut. */
  readonly max?: number;
  /** True for codes and numbers: monospaced, without keyboard assistance. */
  readonly code?: boolean;
}

export function Input(props: InputProps) {
  const { value, onChange, max, code = false } = props;
  // preact's types have one form for each type
  const type = (props.type ?? 'text') as 'text';
  return (
    <Field {...props} aside={counter(value, max)}>
      {(control) => (
        <input
          {...control}
          class={code ? 'code' : ''}
          name={props.name}
          type={type}
          value={value}
          disabled={props.disabled}
          placeholder={props.placeholder}
          autocomplete={props.autocomplete ?? 'off'}
          inputMode={props.inputMode}
          spellcheck={code ? false : undefined}
          autocapitalize={code ? 'none' : undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function TextArea(
  props: Omit<InputProps, 'type' | 'inputMode' | 'placeholder' | 'autocomplete'> & { readonly rows?: number },
) {
  const { value, onChange, max, code = false } = props;
  return (
    <Field {...props} aside={counter(value, max)}>
      {(control) => (
        <textarea
          {...control}
          class={code ? 'code' : ''}
          name={props.name}
          rows={props.rows ?? 4}
          value={value}
          disabled={props.disabled}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Counts code points, as the server does. */
function counter(value: string, max: number | undefined): string | undefined {
  if (max === undefined) return undefined;
  return `${Array.from(value).length}/${max}`;
}

export function Checkbox(props: Labelled & Bound<boolean>) {
  const { label, help, value, onChange, error } = props;
  const id = useId();
  const isWrong = error !== undefined && error !== '';
  return (
    <div class={`check${isWrong ? ' wrong' : ''}`}>
      <input
        id={id}
        type="checkbox"
        name={props.name}
        checked={value}
        disabled={props.disabled}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong || help !== undefined ? `${id}-about` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {(isWrong || help !== undefined) && <p id={`${id}-about`}>{isWrong ? error : help}</p>}
    </div>
  );
}
