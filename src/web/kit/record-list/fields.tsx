/** Fields of a small form, rendered from their declarations. */
import { Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import type { Problem } from '../../api/result.ts';
import type { Form } from '../../api/use-form.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { type Bound, Checkbox, Input, type Labelled } from '../../ui/field.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { Several } from '../../ui/several.tsx';
import { DayInput } from '../../ui/typed-input.tsx';

/**
 * Control of a field. `choice`: one of a short list. `record`: one of a long list, or a typed value.
 * `records`: several of a long list.
 */
export type FieldKind = 'text' | 'code' | 'number' | 'choice' | 'record' | 'records' | 'check' | 'day';

export interface FieldSpec<Values extends object> {
  readonly name: keyof Values & string;
  readonly label: string;
  /** Place of its problems in the answer of the server. Defaults to the name. */
  readonly place?: string;
  /** Defaults to `text`. */
  readonly kind?: FieldKind;
  readonly help?: string | ((values: Values) => string);
  readonly required?: boolean;
  readonly max?: number;
  readonly options?: readonly Option[];
  /** True for a value that cannot be changed after the record is created. */
  readonly fixed?: boolean;
  readonly isVisible?: (values: Values) => boolean;
  /** Checks the typed value before the request. Returns `undefined` when it may be sent. */
  readonly faultOf?: (typedText: string) => FieldFault | undefined;
}

export interface FieldFault {
  readonly message: string;
  /** True for a value that looks mistyped: it is sent when the user saves again. */
  readonly mayBeIntended?: boolean;
}

export type FieldsForm<Values extends object> = Pick<Form<Values>, 'values' | 'field' | 'set'>;

export interface FieldsProps<Values extends object> {
  readonly form: FieldsForm<Values>;
  readonly fields: readonly FieldSpec<Values>[];
  readonly isNew: boolean;
}

export const Fields = <Values extends object>({ form, fields, isNew }: FieldsProps<Values>) => (
  <>
    {fields
      .filter(({ isVisible }) => isVisible?.(form.values) !== false)
      .map((spec) => (
        <Fragment key={spec.name}>{fieldOf(form, spec, isNew)}</Fragment>
      ))}
  </>
);

function fieldOf<Values extends object>(form: FieldsForm<Values>, spec: FieldSpec<Values>, isNew: boolean) {
  const { name, label, kind = 'text', help, required = false, max, options = [], fixed = false } = spec;
  // The kind of a field determines the type of its value.
  const bound = <T,>(): Bound<T> & Labelled => ({
    label,
    required,
    disabled: fixed && !isNew,
    ...(help !== undefined && { help: typeof help === 'string' ? help : help(form.values) }),
    ...(form.field(name, spec.place) as unknown as Bound<T>),
  });
  switch (kind) {
    case 'check':
      return <Checkbox {...bound<boolean>()} />;
    case 'choice':
      return <Select {...bound<string>()} options={options} />;
    case 'day':
      return <DayInput {...bound<string>()} />;
    case 'record':
      return <Combobox free {...bound<string>()} options={options} />;
    case 'records':
      return (
        <Several
          {...bound<readonly string[]>()}
          options={options}
          onChange={(change) =>
            form.set((before) => ({ [name]: change(before[name] as readonly string[]) }) as Partial<Values>)
          }
        />
      );
    case 'text':
    case 'code':
      return <Input {...bound<string>()} code={kind === 'code'} {...(max !== undefined && { max })} />;
    case 'number':
      return <Input {...bound<string>()} code inputMode="numeric" />;
  }
}

/**
 * Returns a function that lists the problems to show before the request. A value that may be intended is
 * reported once.
 */
export function useFieldFaults<Values extends object>(): (
  fields: readonly FieldSpec<Values>[],
  values: Values,
) => readonly Problem[] {
  const reportedRef = useRef(new Set<string>());
  return (fields, values) =>
    fields.flatMap(({ name, faultOf, isVisible }) => {
      const typedText = String(values[name]);
      const fault = isVisible?.(values) === false ? undefined : faultOf?.(typedText);
      const key = `${name} ${typedText}`;
      if (fault === undefined || (fault.mayBeIntended === true && reportedRef.current.has(key))) return [];
      reportedRef.current.add(key);
      return { message: fault.message, code: null, place: name };
    });
}
