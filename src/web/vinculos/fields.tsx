/** Fields for a product and an operator, found by code, name and the company's own codes. */
import type { JSX } from 'preact';
import type { PagedForeignOperator, PagedProduct } from '../api/answers.ts';
import { OPERATOR_PAGES } from '../operadores/operator.ts';
import { PRODUCT_PAGES } from '../produtos/product.ts';
import { Combobox, type ComboboxProps } from '../ui/combobox.tsx';
import type { Option } from '../ui/select.tsx';
import { useChoices } from './choices.ts';

type RecordFieldProps = Omit<ComboboxProps, 'options' | 'onSearch'> & {
  readonly cpfCnpjRaiz: string;
  /** True for searches. A new link needs an active record. */
  readonly withDeactivated?: boolean;
};

export function ProductField({
  cpfCnpjRaiz,
  withDeactivated = false,
  ...field
}: RecordFieldProps): JSX.Element {
  const { value, onChange } = field;
  const choices = useChoices<PagedProduct>({
    path: PRODUCT_PAGES,
    query: { cpfCnpjRaiz },
    value,
    onChange,
    optionOf: (product) =>
      product.situacao === 'DESATIVADO' && !withDeactivated ? undefined : productOption(product),
    queriesFor: (text) => [
      ...(/^0*[1-9]\d{0,9}$/.test(text) ? [{ codigo: text }] : []),
      { internalCode: text },
      { denominacao: text },
    ],
  });
  return <Combobox placeholder="Código, nome ou código interno" {...field} {...choices} />;
}

const productOption = ({ codigo, denominacao, codigosInterno }: PagedProduct): Option => ({
  value: String(codigo),
  label: denominacao,
  ...(codigosInterno.length > 0 && { hint: codigosInterno.join(', ') }),
});

export function OperatorField({
  cpfCnpjRaiz,
  codigoPais = '',
  withDeactivated = false,
  ...field
}: RecordFieldProps & {
  /** Restricts the operators to this country. */
  readonly codigoPais?: string;
}): JSX.Element {
  const { value, onChange } = field;
  const query = { cpfCnpjRaiz, paisOrigem: codigoPais, exibirDesativados: withDeactivated };
  const choices = useChoices<PagedForeignOperator>({
    path: OPERATOR_PAGES,
    query,
    value,
    onChange,
    optionOf: operatorOption,
    queriesFor: (text) => [{ codigo: text }, { tin: text }, { codigoInterno: text }, { nome: text }],
  });
  return <Combobox placeholder="Código, nome ou TIN" {...field} {...choices} />;
}

function operatorOption({ codigo, nome, tin, codigoInterno }: PagedForeignOperator): Option {
  const hint = [tin, codigoInterno].filter((text) => text !== null).join(', ');
  return { value: codigo, label: nome, ...(hint !== '' && { hint }) };
}
