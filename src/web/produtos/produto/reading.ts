/** Readable form of a product: attribute names and domain texts instead of codes. */
import type { AttributeDetail } from '../../api/answers.ts';
import type { AttributeLists, AttributeValue } from '../../../catalogue/attribute/words/model.ts';
import { dayText, hasDayForm } from '../../words.ts';
import { PRODUCT, PRODUCT_WRITTEN, type ProductMember } from '../../../catalogue/members/product.ts';
import { memberText, type ProductContent } from '../product.ts';

export interface AttributeName {
  readonly name: string;
  readonly forma: string;
  readonly domain: ReadonlyMap<string, string>;
  /** Codes of the parts of a compound. */
  readonly parts: readonly string[];
}

/** Names by code, in the order of the table. */
export type AttributeNames = ReadonlyMap<string, AttributeName>;

export const NO_NAMES: AttributeNames = new Map();

export function namesOf(details: readonly AttributeDetail[]): AttributeNames {
  const names = new Map<string, AttributeName>();
  const visit = (detail: AttributeDetail): void => {
    const { codigo, nome, nomeApresentacao, formaPreenchimento: forma, dominio = [] } = detail;
    const { listaSubatributos: parts = [] } = detail;
    if (names.has(codigo)) return;
    const domain = new Map(dominio.map((item) => [item.codigo, item.descricao]));
    names.set(codigo, {
      name: nomeApresentacao || nome,
      forma,
      domain,
      parts: parts.map((part) => part.codigo),
    });
    for (const { atributo } of detail.condicionados ?? []) visit(atributo);
    for (const part of parts) visit(part);
  };
  for (const detail of details) visit(detail);
  return names;
}

/** One attribute of a product in readable form. */
export interface Reading {
  readonly codigo: string;
  readonly name: string;
  readonly values: readonly string[];
  /** Content of each group of a compound. */
  readonly groups: readonly (readonly Reading[])[];
}

function valueText(attribute: AttributeName | undefined, valor: string): string {
  const description = attribute?.domain.get(valor);
  return description === undefined ? plainText(attribute, valor) : `${valor} · ${description}`;
}

/** Returns a value as a sheet has it, for instance `01 - Vidro`. */
export function plainText(attribute: AttributeName | undefined, valor: string): string {
  const description = attribute?.domain.get(valor);
  if (description !== undefined) return `${valor} - ${description}`;
  switch (attribute?.forma) {
    case 'BOOLEANO':
      return { true: 'Sim', false: 'Não' }[valor] ?? valor;
    case 'DATA':
      return hasDayForm(valor) ? dayText(valor) : valor;
    case 'NUMERO_REAL':
      return valor.replace('.', ',');
    default:
      return valor;
  }
}

/** Returns the values of a change in readable form. The member `atributo:ATT_1` holds attribute values. */
export function changedText(member: string, values: string, names: AttributeNames): string {
  const attribute = names.get(member.replace(/^atributo:(?:[^/]+\/)?/, ''));
  const readableValues = values.split(BETWEEN_VALUES).map((value) => valueText(attribute, value));
  return readableValues.join(BETWEEN_VALUES);
}

/** Separator that the server writes between several values of one attribute. */
const BETWEEN_VALUES = ' | ';

/** Returns every attribute in the order of the table. Attributes outside the table come last, by code. */
export function readingsOf(lists: AttributeLists, names: AttributeNames): readonly Reading[] {
  const nameOf = (codigo: string): string => names.get(codigo)?.name ?? codigo;
  const read = (codigo: string, values: readonly string[]): Reading => ({
    codigo,
    name: nameOf(codigo),
    groups: [],
    values: values.map((valor) => valueText(names.get(codigo), valor)),
  });
  const compound = (codigo: string, groups: readonly (readonly AttributeValue[])[]): Reading => ({
    codigo,
    name: nameOf(codigo),
    values: [],
    groups: groups.map((group) => group.map(({ atributo, valor }) => read(atributo, [valor]))),
  });
  const all = [
    ...lists.atributos.map(({ atributo, valor }) => read(atributo, [valor])),
    ...lists.atributosMultivalorados.map(({ atributo, valores }) => read(atributo, valores)),
    ...lists.atributosCompostos.map(({ atributo, valores }) => compound(atributo, [valores])),
    ...lists.atributosCompostosMultivalorados.map(({ atributo, valores }) => compound(atributo, valores)),
  ];
  const order = [...names.keys()];
  const place = ({ codigo }: Reading): number => (names.has(codigo) ? order.indexOf(codigo) : order.length);
  return all.toSorted((a, b) => place(a) - place(b));
}

/**
 * Returns the content of a version as one flat map for comparison. The key of an attribute is its code, not
 * its position.
 */
export function flatOf(content: ProductContent, names: AttributeNames): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const name of PRODUCT_WRITTEN) flat[name] = memberText(name, content[name]);
  for (const { codigo, values, groups } of readingsOf(content, names)) {
    if (values.length > 0) flat[codigo] = values.join('; ');
    groups.forEach((group, index) => {
      for (const part of group) flat[`${codigo} ${index} ${part.codigo}`] = part.values.join('; ');
    });
  }
  return flat;
}

/** Returns the label of a key of `flatOf`. */
export function labelOf(key: string, names: AttributeNames): string {
  const [codigo = '', groupIndex, part] = key.split(' ');
  const name = PRODUCT[codigo as ProductMember]?.heading ?? names.get(codigo)?.name ?? codigo;
  if (groupIndex === undefined || part === undefined) return name;
  return `${name} ${Number(groupIndex) + 1} › ${names.get(part)?.name ?? part}`;
}
