/** Formats attribute names and values for people; the columns and cells of sheets use them. */
import { dayCell, yesOrNo } from '../../sheet/table.ts';
import type { AttributeDetail, AttributeLists, DomainItem } from '../attribute/words/model.ts';
import { cellOf } from '../members/cell-text.ts';

interface NamedCode {
  readonly codigo: string;
  readonly name: string;
}

/** Example: `Teor alcoólico (ATT_1)`, `Embalagem: Material (ATT_1/ATT_2)`. */
export const attributeHeading = ({ codigo, name }: NamedCode, part?: NamedCode): string =>
  part === undefined ? `${name} (${codigo})` : `${name}: ${part.name} (${codigo}/${part.codigo})`;

/** Example: `01 - Vidro`. */
const domainText = ({ codigo, descricao }: DomainItem): string => `${codigo} - ${descricao}`;

/** Returns the texts of the choices; none: a value is typed. */
export const choiceTexts = ({
  formaPreenchimento,
  dominio,
}: Pick<AttributeDetail, 'formaPreenchimento' | 'dominio'>): readonly string[] =>
  formaPreenchimento === 'BOOLEANO' ? [yesOrNo(true), yesOrNo(false)] : dominio.map(domainText);

/** Formats a value; returns it unchanged without a detail. */
export function attributeText(
  valor: string,
  detail: Pick<AttributeDetail, 'formaPreenchimento' | 'dominio'> | undefined,
): string {
  const item = detail?.dominio.find((domainItem) => domainItem.codigo === valor);
  if (item !== undefined) return domainText(item);
  switch (detail?.formaPreenchimento) {
    case 'BOOLEANO':
      return valor === 'true' || valor === 'false' ? yesOrNo(valor === 'true') : valor;
    case 'DATA':
      return /^\d{4}-\d{2}-\d{2}$/.test(valor) ? dayCell(valor) : valor;
    case 'NUMERO_REAL':
      return valor.replace('.', ',');
    default:
      return valor;
  }
}

interface AttributeText {
  readonly codigo: string;
  readonly part?: string;
  readonly text: string | null;
}

/** Formats a value. */
export type ValueText = (valor: string, codigo: string, part?: string) => string;

/** Yields the content of each attribute, or part of one, as one cell. */
export function* attributeTexts(
  lists: AttributeLists,
  textOf: ValueText = (valor) => valor,
): Generator<AttributeText> {
  for (const { atributo: codigo, valor } of lists.atributos) yield { codigo, text: textOf(valor, codigo) };
  for (const { atributo: codigo, valores } of lists.atributosMultivalorados)
    yield { codigo, text: cellOf(valores.map((valor) => textOf(valor, codigo))) };
  for (const { atributo: codigo, valores } of lists.atributosCompostos)
    for (const { atributo: part, valor } of valores)
      yield { codigo, part, text: textOf(valor, codigo, part) };
  for (const { atributo: codigo, valores } of lists.atributosCompostosMultivalorados)
    for (const part of new Set(valores.flatMap((group) => group.map(({ atributo }) => atributo))))
      yield {
        codigo,
        part,
        text: cellOf(
          valores.map((group) => {
            const valor = group.find(({ atributo }) => atributo === part)?.valor;
            return valor === undefined ? '' : textOf(valor, codigo, part);
          }),
        ),
      };
}
