/** One value of an attribute, with the control that its type requires. */
import type { AttributeDetail } from '../../../catalogue/attribute/words/model.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { type Bound, Input, type Labelled, TextArea } from '../../ui/field.tsx';
import { type Option, Select } from '../../ui/select.tsx';
import { DayInput, TypedInput } from '../../ui/typed-input.tsx';
import { guidanceOf, nameOf, decimalText, momentText, wireDecimal, wireMoment } from './texts.ts';

export interface ValueFieldProps extends Bound<string> {
  readonly detail: AttributeDetail;
  readonly required: boolean;
  /** Label of a further value; defaults to the name of the attribute. */
  readonly label?: string;
}

const YES_OR_NO: readonly Option[] = [
  { value: '', label: 'Escolha…' },
  { value: 'true', label: 'Sim' },
  { value: 'false', label: 'Não' },
];

/** Values longer than this get several lines. */
const LINE_CHARACTERS = 120;

export function ValueField({ detail, required, label, value, onChange, error }: ValueFieldProps) {
  const help = guidanceOf(detail);
  const bound = { value, onChange, required, label: label ?? nameOf(detail), ...(help && { help }) };
  const common = { ...bound, error: error ?? notInDomain(detail, value) };
  switch (detail.formaPreenchimento) {
    case 'BOOLEANO':
      return <Select {...common} options={YES_OR_NO} />;
    case 'DATA':
      return <DayInput {...common} />;
    case 'DATA_HORA':
      return (
        <TypedInput {...common} format={momentText} parse={wireMoment} placeholder="dd/mm/aaaa hh:mm:ss" />
      );
    case 'NUMERO_INTEIRO':
      return <Input {...common} inputMode="numeric" />;
    case 'NUMERO_REAL':
      return <TypedInput {...common} format={decimalText} parse={wireDecimal} inputMode="decimal" />;
    default:
      return detail.dominio.length > 0 ? (
        <Combobox {...common} options={optionsOf(detail)} />
      ) : (
        <Text {...common} max={sizeOf(detail)} />
      );
  }
}

export const optionsOf = ({ dominio }: AttributeDetail): readonly Option[] =>
  dominio.map(({ codigo, descricao }) => ({ value: codigo, label: descricao || codigo }));

/**
 * Returns the maximum length as the server computes it: a mask that is longer than the size sets the length.
 */
const sizeOf = ({ tamanhoMaximo, mascara = '' }: AttributeDetail): number | undefined =>
  tamanhoMaximo === undefined ? undefined : Math.max(tamanhoMaximo, Array.from(mascara).length);

/** Reported immediately: such a value comes from a product, not from typing. */
function notInDomain({ dominio }: AttributeDetail, value: string): string | undefined {
  const isKnown = value === '' || dominio.length === 0 || dominio.some(({ codigo }) => codigo === value);
  return isKnown ? undefined : `O código “${value}” não está na lista em vigor; escolha outro.`;
}

function Text({ max, ...props }: Labelled & Bound<string> & { readonly max: number | undefined }) {
  const limitedProps = { ...props, ...(max !== undefined && { max }) };
  const isLong = max === undefined || max > LINE_CHARACTERS || props.value.includes('\n');
  return isLong ? <TextArea {...limitedProps} rows={2} /> : <Input {...limitedProps} />;
}
