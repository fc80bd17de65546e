/**
 * Reads the attributes of a row of a sheet: by code or name, in the order of the table, with parts in their
 * groups.
 */
import {
  type AttributeLists,
  type ListName,
  type NcmAttribute,
  type NcmAttributes,
  listWith,
} from '../attribute/words/model.ts';
import { type Group, valuesOf } from '../attribute/words/values.ts';
import { attributeMember } from '../members/product.ts';
import type { AttributeContent } from '../product/patch.ts';
import { words } from '../../sheet/words.ts';
import { shown } from '../../validation/shown.ts';
import { namesOf } from './attribute-names.ts';
import { lostZeros, lostZerosNotice } from './code-zeros.ts';
import { domainParts, readerOf } from './attribute-cells.ts';
import type { PlacedCell, SheetReading } from './row.ts';
import { parseTarget } from './target.ts';

interface Meant {
  readonly codigo: string;
  readonly part: string | undefined;
}

/**
 * Returns the attributes by code. The other attributes of the product stay.
 * `ncm`: that of the product, for messages.
 */
export function attributesIn(
  reading: SheetReading,
  named: NcmAttributes,
  before: AttributeLists,
  ncm: string | null,
): ReadonlyMap<string, AttributeContent> {
  const held = valuesOf(before);
  const contents = new Map<string, AttributeContent>();
  const places = new Map<string, PlacedCell>();
  for (const placed of reading.cells) {
    const attributeTarget = meantBy(reading, placed, named, ncm);
    if (attributeTarget === undefined || (placed.cell === undefined && !reading.empties)) continue;
    const { codigo, part } = attributeTarget;
    const target = attributeMember(codigo, part);
    const other = places.get(target);
    if (other !== undefined && placed.pair !== undefined)
      reading.refuse(
        `${target.slice(target.indexOf(':') + 1)} está também em ${other.heading}; deixe um valor só.`,
        placed,
      );
    if (placed.cell !== undefined) places.set(target, placed);
    const attribute = named.get(codigo);
    if (part === undefined)
      contents.set(codigo, { values: valuesIn(reading, placed, attribute, before, codigo), groups: [] });
    else {
      const groups = contents.get(codigo)?.groups ?? held.groups[codigo] ?? [];
      const values = partValues(reading, placed, attribute, part, listIn(codigo, attribute, before), groups);
      contents.set(codigo, { values: [], groups: withPart(groups, part, values) });
    }
  }
  return contents;
}

function valuesIn(
  reading: SheetReading,
  placed: PlacedCell,
  attribute: NcmAttribute | undefined,
  before: AttributeLists,
  codigo: string,
): readonly string[] {
  const read = readerOf(attribute?.detail);
  if (listIn(codigo, attribute, before) === 'atributosMultivalorados') {
    const many = before.atributosMultivalorados.find(({ atributo }) => atributo === codigo);
    const values = reading.parts(placed, read, { split: (text) => domainParts(attribute?.detail, text) });
    return asStored(reading, placed, values, many?.valores);
  }
  const text = reading.text(placed, read);
  const single = before.atributos.find(({ atributo }) => atributo === codigo);
  return text === undefined || text === null ? [] : [withZeros(reading, placed, text, single?.valor)];
}

const listIn = (
  codigo: string,
  attribute: NcmAttribute | undefined,
  before: AttributeLists,
): ListName | undefined => listWith(codigo, before, attribute?.lists) ?? attribute?.lists[0];

/** Returns the values of a part. The n-th value belongs to the n-th group. */
function partValues(
  reading: SheetReading,
  placed: PlacedCell,
  attribute: NcmAttribute | undefined,
  part: string,
  list: ListName | undefined,
  groups: readonly Group[],
): readonly string[] {
  const read = readerOf(attribute?.parts.get(part));
  const before = groups.map(({ [part]: value = '' }) => value);
  if (list !== 'atributosCompostos') {
    return asStored(reading, placed, reading.parts(placed, read, { keepsBlank: true }), before);
  }
  const text = reading.text(placed, read);
  return text === undefined || text === null ? [] : [withZeros(reading, placed, text, before[0])];
}

/** Restores the blanks of unchanged values, because several in a cell lose those at their ends, and lost zeros. */
const asStored = (
  reading: SheetReading,
  placed: PlacedCell,
  values: readonly string[],
  stored: readonly string[] = [],
): readonly string[] =>
  values.map((value, at) =>
    stored[at]?.trim() === value ? stored[at] : withZeros(reading, placed, value, stored[at]),
  );

/** Returns the stored value if only its leading zeros are missing, and reports it. */
function withZeros(
  reading: SheetReading,
  { target }: PlacedCell,
  value: string,
  stored: string | undefined,
): string {
  if (stored === undefined || !lostZeros(value, stored)) return value;
  reading.notice(target, lostZerosNotice(value, stored));
  return stored;
}

function withPart(groups: readonly Group[], part: string, values: readonly string[]): readonly Group[] {
  const count = Math.max(groups.length, values.length);
  return Array.from({ length: count }, (_, at) => {
    const { [part]: _before, ...others } = groups[at] ?? {};
    const value = values[at] ?? '';
    return value === '' ? others : { ...others, [part]: value };
  });
}

/**
 * Returns the attribute of a column.
 * `undefined`: it is no attribute column, or the NCM has no attribute of that name. A value then is a
 * problem.
 */
function meantBy(
  reading: SheetReading,
  placed: PlacedCell,
  named: NcmAttributes,
  ncm: string | null,
): Meant | undefined {
  const target = parseTarget(placed.target);
  if (target.kind === 'pair' && placed.cell !== undefined) refusePair(reading, placed);
  if (target.kind === 'member' || target.kind === 'pair') return undefined;
  if (target.kind === 'attribute') return { ...target, ...partOfCompound(target, named) };
  const [first, ...others] = namesOf(named).get(words(target.name)) ?? [];
  const only = first === undefined ? undefined : parseTarget(first);
  if (only?.kind === 'attribute' && others.length === 0) return only;
  if (placed.cell !== undefined)
    reading.refuse(
      first === undefined
        ? `nenhum atributo da NCM ${ncm ?? '(sem NCM)'} se chama ${shown(target.name)}; esvazie a célula, ou dê a coluna a um atributo por código.`
        : `${[first, ...others].join(' e ')} se chamam ${shown(target.name)} na NCM ${ncm}; dê a coluna a um deles.`,
      placed,
    );
  return undefined;
}

/** Adds the problem of a pair of cells without an attribute code. */
function refusePair(reading: SheetReading, placed: PlacedCell): void {
  const code = placed.pair;
  reading.refuse(
    code === undefined
      ? 'recebido um valor sem o código do atributo ao lado; escreva-o, como ATT_15120, ou esvazie a célula.'
      : `recebido ${shown(code)}; aceita o código de um atributo, como ATT_15120.`,
    placed,
  );
}

/** Returns the part of a compound if a code without its compound is the code of a part. */
function partOfCompound({ codigo, part }: Meant, named: NcmAttributes): Meant {
  if (part !== undefined || named.has(codigo)) return { codigo, part };
  const [compound] = [...named].find(([, { parts }]) => parts.has(codigo)) ?? [];
  return compound === undefined ? { codigo, part } : { codigo: compound, part: codigo };
}
