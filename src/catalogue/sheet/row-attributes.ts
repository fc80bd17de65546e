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
import { formatValue } from '../../validation/format-value.ts';
import { namesOf } from './attribute-names.ts';
import { lostZeros, lostZerosNotice } from './code-zeros.ts';
import { domainParts, readerOf } from './attribute-cells.ts';
import type { TargetCell, SheetReading } from './row.ts';
import { parseTarget } from './target.ts';

interface AttributeTarget {
  readonly codigo: string;
  readonly part: string | undefined;
}

/**
 * Returns the attributes by code. The other attributes of the product stay.
 * `ncm`: that of the product, for messages.
 */
export function attributesIn(
  reading: SheetReading,
  attributes: NcmAttributes,
  stored: AttributeLists,
  ncm: string | null,
): ReadonlyMap<string, AttributeContent> {
  const storedValues = valuesOf(stored);
  const contents = new Map<string, AttributeContent>();
  const cellsByTarget = new Map<string, TargetCell>();
  for (const cell of reading.cells) {
    const attributeTarget = attributeOfCell(reading, cell, attributes, ncm);
    if (attributeTarget === undefined || (cell.cell === undefined && !reading.empties)) continue;
    const { codigo, part } = attributeTarget;
    const target = attributeMember(codigo, part);
    const other = cellsByTarget.get(target);
    if (other !== undefined && cell.pair !== undefined)
      reading.refuse(
        `${target.slice(target.indexOf(':') + 1)} está também em ${other.heading}; deixe um valor só.`,
        cell,
      );
    if (cell.cell !== undefined) cellsByTarget.set(target, cell);
    const attribute = attributes.get(codigo);
    if (part === undefined)
      contents.set(codigo, { values: valuesIn(reading, cell, attribute, stored, codigo), groups: [] });
    else {
      const groups = contents.get(codigo)?.groups ?? storedValues.groups[codigo] ?? [];
      const values = partValues(reading, cell, attribute, part, listIn(codigo, attribute, stored), groups);
      contents.set(codigo, { values: [], groups: withPart(groups, part, values) });
    }
  }
  return contents;
}

function valuesIn(
  reading: SheetReading,
  cell: TargetCell,
  attribute: NcmAttribute | undefined,
  stored: AttributeLists,
  codigo: string,
): readonly string[] {
  const read = readerOf(attribute?.detail);
  if (listIn(codigo, attribute, stored) === 'atributosMultivalorados') {
    const multivalued = stored.atributosMultivalorados.find(({ atributo }) => atributo === codigo);
    const values = reading.parts(cell, read, { split: (text) => domainParts(attribute?.detail, text) });
    return asStored(reading, cell, values, multivalued?.valores);
  }
  const text = reading.text(cell, read);
  const single = stored.atributos.find(({ atributo }) => atributo === codigo);
  return text === undefined || text === null ? [] : [withZeros(reading, cell, text, single?.valor)];
}

const listIn = (
  codigo: string,
  attribute: NcmAttribute | undefined,
  stored: AttributeLists,
): ListName | undefined => listWith(codigo, stored, attribute?.lists) ?? attribute?.lists[0];

/** Returns the values of a part. The n-th value belongs to the n-th group. */
function partValues(
  reading: SheetReading,
  cell: TargetCell,
  attribute: NcmAttribute | undefined,
  part: string,
  list: ListName | undefined,
  groups: readonly Group[],
): readonly string[] {
  const read = readerOf(attribute?.parts.get(part));
  const stored = groups.map(({ [part]: value = '' }) => value);
  if (list !== 'atributosCompostos') {
    return asStored(reading, cell, reading.parts(cell, read, { keepsBlank: true }), stored);
  }
  const text = reading.text(cell, read);
  return text === undefined || text === null ? [] : [withZeros(reading, cell, text, stored[0])];
}

/** Restores what a cell with several values loses: blanks at the ends of unchanged values, and leading zeros. */
const asStored = (
  reading: SheetReading,
  cell: TargetCell,
  values: readonly string[],
  stored: readonly string[] = [],
): readonly string[] =>
  values.map((value, index) =>
    stored[index]?.trim() === value ? stored[index] : withZeros(reading, cell, value, stored[index]),
  );

/** Returns the stored value if only its leading zeros are missing, and reports it. */
function withZeros(
  reading: SheetReading,
  { target }: TargetCell,
  value: string,
  stored: string | undefined,
): string {
  if (stored === undefined || !lostZeros(value, stored)) return value;
  reading.notice(target, lostZerosNotice(value, stored));
  return stored;
}

function withPart(groups: readonly Group[], part: string, values: readonly string[]): readonly Group[] {
  const count = Math.max(groups.length, values.length);
  return Array.from({ length: count }, (_, index) => {
    const { [part]: _before, ...others } = groups[index] ?? {};
    const value = values[index] ?? '';
    return value === '' ? others : { ...others, [part]: value };
  });
}

/**
 * Returns the attribute of a column.
 * `undefined`: it is no attribute column, or the NCM has no attribute of that name. A value then is a
 * problem.
 */
function attributeOfCell(
  reading: SheetReading,
  cell: TargetCell,
  attributes: NcmAttributes,
  ncm: string | null,
): AttributeTarget | undefined {
  const target = parseTarget(cell.target);
  if (target.kind === 'pair' && cell.cell !== undefined) refusePair(reading, cell);
  if (target.kind === 'member' || target.kind === 'pair') return undefined;
  if (target.kind === 'attribute') return partOfCompound(target, attributes);
  const [first, ...others] = namesOf(attributes).get(words(target.name)) ?? [];
  const only = first === undefined ? undefined : parseTarget(first);
  if (only?.kind === 'attribute' && others.length === 0) return only;
  if (cell.cell !== undefined)
    reading.refuse(
      first === undefined
        ? `nenhum atributo da NCM ${ncm ?? '(sem NCM)'} se chama ${formatValue(target.name)}; esvazie a célula, ou dê a coluna a um atributo por código.`
        : `${[first, ...others].join(' e ')} se chamam ${formatValue(target.name)} na NCM ${ncm}; dê a coluna a um deles.`,
      cell,
    );
  return undefined;
}

/** Adds the problem of a pair of cells without an attribute code. */
function refusePair(reading: SheetReading, cell: TargetCell): void {
  const code = cell.pair;
  reading.refuse(
    code === undefined
      ? 'recebido um valor sem o código do atributo ao lado; escreva-o, como ATT_15120, ou esvazie a célula.'
      : `recebido ${formatValue(code)}; aceita o código de um atributo, como ATT_15120.`,
    cell,
  );
}

/** Returns the part of a compound if a code without its compound is the code of a part. */
function partOfCompound(target: AttributeTarget, attributes: NcmAttributes): AttributeTarget {
  const { codigo, part } = target;
  if (part !== undefined || attributes.has(codigo)) return target;
  for (const [compound, { parts }] of attributes)
    if (parts.has(codigo)) return { codigo: compound, part: codigo };
  return target;
}
