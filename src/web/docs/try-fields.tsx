/** The fields of a request: parameters, body, file. */
import type { JSX } from 'preact';
import { Field, Input, TextArea } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { keyOf, type TryValues } from './request.ts';
import type { Trial, TrialParameter } from './trial.ts';

export interface TryFieldsProps {
  readonly trial: Trial;
  readonly values: TryValues;
  readonly onChange: (values: TryValues) => void;
  readonly onFile: (file: File | undefined) => void;
}

export function TryFields({ trial, values, onChange, onFile }: TryFieldsProps): JSX.Element {
  const { kind } = trial.body;
  const parts = Object.entries(values.parts);
  const setBody = (body: string): void => onChange({ ...values, body });
  return (
    <>
      {trial.parameters.length + parts.length > 0 && (
        <div class="try-fields">
          {trial.parameters.map((parameter) => (
            <ParameterField
              key={keyOf(parameter)}
              parameter={parameter}
              value={values.parameters[keyOf(parameter)] ?? ''}
              onChange={(value) =>
                onChange({ ...values, parameters: { ...values.parameters, [keyOf(parameter)]: value } })
              }
            />
          ))}
          {parts.map(([name, value]) => (
            <Input
              key={name}
              label={name}
              code
              value={value}
              onChange={(next) => onChange({ ...values, parts: { ...values.parts, [name]: next } })}
            />
          ))}
        </div>
      )}
      {kind === 'json' && (
        <TextArea label="Corpo" code rows={rowsOf(values.body)} value={values.body} onChange={setBody} />
      )}
      {(kind === 'form' || kind === 'file') && <FileField onFile={onFile} />}
      {kind === 'form' && (
        <TextArea
          label="Sem arquivo, este conteúdo"
          code
          rows={rowsOf(values.body)}
          value={values.body}
          onChange={setBody}
        />
      )}
    </>
  );
}

const FileField = ({ onFile }: Pick<TryFieldsProps, 'onFile'>): JSX.Element => (
  <Field label="Arquivo">
    {(control) => (
      <input {...control} type="file" onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])} />
    )}
  </Field>
);

function ParameterField({
  parameter: { name, isRequired: required, description: help, options },
  value,
  onChange,
}: {
  readonly parameter: TrialParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const shared = { label: name, value, onChange, ...(required && { required }) };
  if (options === undefined)
    return (
      <Input
        {...shared}
        code
        help={help}
        {...(/secret|secreta/i.test(name) && { type: 'password' as const })}
      />
    );
  return (
    <Select
      {...shared}
      help={help}
      options={[...(required ? [] : ['']), ...options].map((option) => ({ value: option, label: option }))}
    />
  );
}

const ROWS_MAX = 18;

const rowsOf = (text: string): number => Math.min(Math.max(text.split('\n').length, 3), ROWS_MAX);
