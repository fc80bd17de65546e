/** What the attribute is to hold in all of the products: one value, several, or the groups of a compound. */
import type { JSX } from 'preact';
import type { AttributeDetail } from '../../../catalogue/attribute/model.ts';
import type { Field } from '../../attribute/fields.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { DayInput } from '../../ui/day-input.tsx';
import { Input } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { AttributeField } from '../form/attribute-fields.tsx';
import type { Content } from './plan.ts';

type OnContent = (change: (before: Content) => Content) => void;

export const isOneValue = ({ list }: Field): boolean => list === 'atributos';

/** Several values, or groups: as the form of a product has them. */
export const NewContent = ({
  field,
  content: { values, groups },
  onContent,
}: {
  readonly field: Field;
  readonly content: Content;
  readonly onContent: OnContent;
}): JSX.Element => (
  <AttributeField
    field={field}
    filled={{ values: { [field.codigo]: values }, groups: { [field.codigo]: groups } }}
    onFilled={(change) =>
      onContent((before) => {
        const filled = change({
          values: { [field.codigo]: before.values },
          groups: { [field.codigo]: before.groups },
        });
        return { values: filled.values[field.codigo] ?? [], groups: filled.groups[field.codigo] ?? [] };
      })
    }
    errorAt={() => undefined}
  />
);

export function NewValue({
  detail,
  content,
  onContent,
}: {
  readonly detail: AttributeDetail;
  readonly content: Content;
  readonly onContent: OnContent;
}): JSX.Element {
  const { dominio, formaPreenchimento, orientacaoPreenchimento } = detail;
  const onChange = (value: string): void => onContent(() => ({ values: [value], groups: [] }));
  const field = {
    ...{ label: 'Novo valor', value: content.values[0] ?? '', onChange },
    ...(orientacaoPreenchimento !== '' && { help: orientacaoPreenchimento }),
  };
  if (dominio.length > 0)
    return (
      <Combobox
        {...field}
        options={dominio.map(({ codigo, descricao }) => ({ value: codigo, label: descricao }))}
      />
    );
  if (formaPreenchimento === 'BOOLEANO') return <Select {...field} options={YES_OR_NO} />;
  if (formaPreenchimento === 'DATA') return <DayInput {...field} />;
  if (formaPreenchimento === 'NUMERO_REAL')
    return <Input {...field} code onChange={(text) => onChange(text.replace(',', '.'))} />;
  return <Input {...field} />;
}

const YES_OR_NO = [
  { value: '', label: 'Escolha…' },
  { value: 'true', label: 'Sim' },
  { value: 'false', label: 'Não' },
] as const;
