/**
 * A field for the subdivision of the selected country, found by code and name. A country without a list
 * accepts any text.
 */
import type { JSX } from 'preact';
import type { Subdivision } from '../api/answers.ts';
import type { FieldBinding } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Combobox } from '../ui/combobox.tsx';
import { OPERATOR } from '../../catalogue/members/foreign-operator.ts';

export function SubdivisionField({
  codigoPais,
  ...field
}: FieldBinding<string> & { readonly codigoPais: string }): JSX.Element {
  const { value: subdivisions = [] } = useResource<readonly Subdivision[]>(
    /^[A-Z]{2}$/.test(codigoPais) ? `/appliance/api/subdivisions?codigoPais=${codigoPais}` : undefined,
  );
  return (
    <Combobox
      label={OPERATOR.codigoSubdivisaoPais.heading}
      free
      placeholder={codigoPais === '' ? 'CN-GD' : `${codigoPais}-… ou o nome`}
      help={
        codigoPais === ''
          ? 'Estado, província ou região; escolha antes o país.'
          : 'Estado, província ou região.'
      }
      options={subdivisions.map(({ codigo, nome }) => ({ value: codigo, label: nome }))}
      {...field}
    />
  );
}
