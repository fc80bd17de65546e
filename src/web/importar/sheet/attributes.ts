/** Attribute columns of a sheet of products: one each, named by the attribute's code, with or without its name. */
import type { Cell } from './cell.ts';
import { type ValueForm, booleanOf, folded, partsOf, valueOf } from './values.ts';

/** What a table says of an attribute, as far as its values need it (contract section 8). */
export interface AttributeForm {
  readonly codigo: string;
  readonly nomeApresentacao: string;
  readonly formaPreenchimento: string;
  readonly multivalorado: boolean;
  readonly dominio: readonly { readonly codigo: string; readonly descricao: string }[];
  /** The compound that it is a part of. */
  readonly partOf?: { readonly codigo: string; readonly multivalorado: boolean };
}

export type AttributeForms = ReadonlyMap<string, AttributeForm>;

/** `ATT_2552`, `ATT_2552 - Material`, `Material (ATT_2552)`; by the name alone where only one has it. */
export function attributeIn(heading: string, forms: AttributeForms): string | undefined {
  const [code] = /\bATT_\d{1,21}\b/i.exec(heading) ?? [];
  if (code !== undefined) return code.toUpperCase();
  const name = folded(heading);
  const named = [...forms.values()].filter(({ nomeApresentacao }) => folded(nomeApresentacao) === name);
  return named.length === 1 ? named[0]?.codigo : undefined;
}

/** The four lists of a product (contract section 4). */
interface AttributeLists {
  readonly atributos: { atributo: string; valor: string }[];
  readonly atributosMultivalorados: { atributo: string; valores: readonly string[] }[];
  readonly atributosCompostos: { atributo: string; valores: { atributo: string; valor: string }[] }[];
  readonly atributosCompostosMultivalorados: {
    atributo: string;
    valores: { atributo: string; valor: string }[][];
  }[];
}

/** Each in the list where it belongs; empty cells say nothing. */
export function attributeLists(
  cells: ReadonlyMap<string, Cell>,
  forms: AttributeForms,
): Partial<AttributeLists> {
  const lists: AttributeLists = {
    atributos: [],
    atributosMultivalorados: [],
    atributosCompostos: [],
    atributosCompostosMultivalorados: [],
  };
  for (const [codigo, cell] of cells) if (cell.text !== '') put(lists, codigo, cell, forms.get(codigo));
  return Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0));
}

function put(lists: AttributeLists, codigo: string, cell: Cell, form: AttributeForm | undefined): void {
  const valor = attributeValue(cell, form);
  if (form?.partOf !== undefined) putPart(lists, form.partOf, { atributo: codigo, valor });
  else if (form?.multivalorado === true) {
    const valores = partsOf(cell.text).map((text) => attributeValue({ ...cell, text }, form));
    lists.atributosMultivalorados.push({ atributo: codigo, valores });
  } else lists.atributos.push({ atributo: codigo, valor });
}

/** A row of a sheet has one group of each compound. */
function putPart(
  lists: AttributeLists,
  { codigo, multivalorado }: NonNullable<AttributeForm['partOf']>,
  part: { atributo: string; valor: string },
): void {
  if (multivalorado) {
    const known = lists.atributosCompostosMultivalorados.find(({ atributo }) => atributo === codigo);
    if (known?.valores[0] === undefined)
      lists.atributosCompostosMultivalorados.push({ atributo: codigo, valores: [[part]] });
    else known.valores[0].push(part);
    return;
  }
  const known = lists.atributosCompostos.find(({ atributo }) => atributo === codigo);
  if (known === undefined) lists.atributosCompostos.push({ atributo: codigo, valores: [part] });
  else known.valores.push(part);
}

const FORMS: Readonly<Record<string, ValueForm>> = {
  BOOLEANO: 'boolean',
  DATA: 'day',
  DATA_HORA: 'moment',
  NUMERO_INTEIRO: 'integer',
  NUMERO_REAL: 'decimal',
};

/** A value of a domain may be given by its code, with or without leading zeros, or by its words. */
function attributeValue(cell: Cell, form: AttributeForm | undefined): string {
  if (form === undefined) return booleanWordOf(cell.text);
  if (form.dominio.length > 0 && form.formaPreenchimento !== 'BOOLEANO') return domainCodeOf(cell.text, form);
  return valueOf(cell, FORMS[form.formaPreenchimento] ?? 'text');
}

/** Without a table only words that can mean nothing else are understood. */
const booleanWordOf = (text: string): string => (/^(?:sim|não|nao)$/i.test(text) ? booleanOf(text) : text);

function domainCodeOf(text: string, { dominio }: AttributeForm): string {
  const word = folded(text);
  const unpadded = (code: string): string => code.replace(/^0+(?=.)/, '');
  const found =
    dominio.find(({ codigo }) => codigo === text) ??
    dominio.find(({ codigo }) => unpadded(codigo) === unpadded(text)) ??
    dominio.find(({ descricao }) => folded(descricao) === word) ??
    dominio.find(({ codigo, descricao }) => folded(`${codigo} ${descricao}`) === word);
  return found?.codigo ?? text;
}
