/**
 * Returns the names and accepted values of members for the reasons of failures, in the words of the sheet or
 * of another file (contract section 24).
 */
import type { ItemProblem } from '../../errors.ts';
import { yesOrNo } from '../../sheet/table.ts';
import { isAmbiguousNumber } from '../../sheet/values.ts';
import { MALFORMED_CODE } from '../../validation/decoding.ts';
import { type AttributeDetail, NO_LISTS } from '../attribute/words/model.ts';
import type { ImportKind } from '../import/model.ts';
import { attributeMember } from '../members/product.ts';
import type { Member } from '../members/member.ts';
import { modalidadesOf } from '../product/model.ts';
import { choiceTexts } from '../product/values.ts';
import { COLUMNS, MEMBERS } from './kinds.ts';
import { parseSheetInstructions } from './instructions.ts';
import { receivedText } from './received.ts';
import type { SheetItem } from './rows.ts';
import { parseTarget } from './target.ts';

/** An attribute of a table, at any level. A part has the code of its compound. */
export interface KnownAttribute {
  readonly detail: AttributeDetail;
  readonly compound?: string;
}

/** Returns the attributes of the table in force, by code. They are read on first use. */
export type KnownAttributes = () => ReadonlyMap<string, KnownAttribute>;

/** The kind of an import, and the instructions of its sheet if it has one. */
interface ReasonSubject {
  readonly tipo: ImportKind;
  readonly sheet: { readonly pedido: string } | null;
  readonly modalidadeAmbos: boolean;
  /** True if accepted values are described in words without a sheet. */
  readonly inWords?: boolean;
}

export function reasonWords(
  { tipo, sheet, modalidadeAmbos, inWords = false }: ReasonSubject,
  knownAttributes: KnownAttributes,
) {
  const instructions = sheet === null ? undefined : parseSheetInstructions(sheet.pedido);
  const isSheet = instructions !== undefined || inWords;
  const memberIn = (name: string): Member | undefined =>
    [MEMBERS[tipo], ...Object.values(MEMBERS)].find((table) => Object.hasOwn(table, name))?.[name];
  const attributeIn = (member: string): AttributeDetail | undefined => {
    const target = parseTarget(member);
    return target.kind === 'attribute'
      ? knownAttributes().get(target.part ?? target.codigo)?.detail
      : undefined;
  };
  const acceptedValuesOf = (detail: AttributeDetail): string[] | null => {
    const { formaPreenchimento, dominio } = detail;
    const codes = formaPreenchimento === 'BOOLEANO' ? ['true', 'false'] : dominio.map(({ codigo }) => codigo);
    const accepted = isSheet ? [...choiceTexts(detail)] : codes;
    return accepted.length === 0 ? null : accepted;
  };
  return {
    detailOf: attributeIn,
    memberOf: (problem: ItemProblem) => refusedMember(problem, knownAttributes),
    headingOf: (member: string) =>
      instructions?.columns.find(({ target }) => target === member)?.heading ??
      COLUMNS[tipo].find(({ target }) => target === member)?.heading ??
      memberIn(member)?.heading ??
      attributeIn(member)?.nomeApresentacao ??
      member.slice(member.indexOf(':') + 1),
    acceptedOf: (member: string) => {
      const detail = attributeIn(member);
      if (detail !== undefined) return acceptedValuesOf(detail);
      const { kind, choices } = memberIn(member) ?? {};
      if (kind === 'boolean') return [true, false].map((flag) => (isSheet ? yesOrNo(flag) : String(flag)));
      if (choices === undefined) return null;
      const isModality = member === 'modalidade';
      const codes = isModality ? [...modalidadesOf({ modalidadeAmbos })] : Object.keys(choices);
      return isSheet ? codes.map((code) => choices[code] ?? code) : codes;
    },
    partsOf: (member: string) =>
      (attributeIn(member)?.listaSubatributos ?? []).map((part) => ({
        member: `${member}/${part.codigo}`,
        heading: part.nomeApresentacao,
        accepted: acceptedValuesOf(part),
      })),
    ambiguousIn: (code: string, member: string, received: Iterable<string>) => {
      const isUnread = code === MALFORMED_CODE && parseTarget(member).kind !== 'member';
      const forma = attributeIn(member)?.formaPreenchimento;
      const isNumber = forma === undefined || forma === 'NUMERO_REAL' || forma === 'NUMERO_INTEIRO';
      if (instructions === undefined || !isUnread || !isNumber) return null;
      return [...received].find(isAmbiguousNumber) ?? null;
    },
    receivedOf: (item: unknown, member: string) =>
      instructions === undefined ? '' : receivedText(instructions, item as SheetItem, member), // written by this program
  };
}

/** Returns the target of a problem of a JSON file, or of a bulk change of products. */
export function refusedMember({ path, about }: ItemProblem, knownAttributes: KnownAttributes): string | null {
  const [, ...all] = path.split('/');
  const [name = '', second = ''] = all[0] === 'set' ? all.slice(1) : all;
  const codigo =
    about?.attribute ?? (Object.hasOwn(NO_LISTS, name) && !/^\d*$/.test(second) ? second : undefined);
  if (codigo === undefined) return name === '' ? null : name;
  const compound = knownAttributes().get(codigo)?.compound;
  return compound === undefined ? attributeMember(codigo) : attributeMember(compound, codigo);
}
