/**
 * Reads one attribute's description, with its nested conditioned attributes and sub-attributes (contract
 * section 8).
 */
import { formatValue } from '../../../validation/format-value.ts';
import { TABLE_CODES } from '../words/codes.ts';
import {
  type AttributeDetail,
  COMPOSICOES,
  type Condition,
  type Conditional,
  type DomainItem,
  FORMAS_PREENCHIMENTO,
  OPERADORES,
  type Objective,
  type Term,
} from '../words/model.ts';
import { type Members, type TableReader } from './reader.ts';

/** Maximum characters of an attribute's code (contract section 4). */
export const ATTRIBUTE_CODE_MAX = 25;

/** Maximum characters of a value, and so of a domain code or of a condition's value. */
const VALUE_MAX = 3700;
const MASK_MAX = 500;

/** Maximum nesting of attributes; the public table nests four deep. */
const MAX_NESTING = 20;

/** Maximum number of terms of one condition; the longest in the public table have some dozens. */
export const MAX_CONDITION_TERMS = 1000;

/** Link "`from` conditions or contains `to`", with its position in the file. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly pointer: string;
}

/** Position of a description: at the top, under a condition, or inside a compound. */
interface Position {
  readonly depth: number;
  readonly parent: string | undefined;
  readonly inCompound: boolean;
}

const TOP: Position = { depth: 0, parent: undefined, inCompound: false };

export function readDetail(
  reader: TableReader,
  item: unknown,
  links: Link[],
  position: Position = TOP,
): AttributeDetail | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  const codigo = reader.requiredText(members, 'codigo', ATTRIBUTE_CODE_MAX);
  if (position.parent !== undefined)
    links.push({ from: position.parent, to: codigo, pointer: reader.pointer('codigo') });
  if (position.depth > MAX_NESTING) {
    reader.fault(TABLE_CODES.layout, `mais de ${MAX_NESTING} atributos aninhados.`);
    return undefined;
  }
  const formaPreenchimento = reader.oneOf(members, 'formaPreenchimento', FORMAS_PREENCHIMENTO) ?? 'TEXTO';
  if (formaPreenchimento === 'COMPOSTO' && position.inCompound)
    reader.fault(
      TABLE_CODES.layout,
      'atributo composto dentro de outro composto não pode ser preenchido.',
      'formaPreenchimento',
    );
  const nome = reader.text(members, 'nome');
  const isCompound = formaPreenchimento === 'COMPOSTO';
  const conditionedPosition = { depth: position.depth + 1, parent: codigo, inCompound: position.inCompound };
  const subattributePosition = { depth: position.depth + 1, parent: codigo, inCompound: true };
  const subCodes = new Set<string>();
  const tamanhoMaximo = reader.count(members, 'tamanhoMaximo');
  const casasDecimais = reader.count(members, 'casasDecimais');
  const mascara = reader.text(members, 'mascara', MASK_MAX);
  return {
    codigo,
    nome,
    nomeApresentacao: reader.text(members, 'nomeApresentacao') || nome || codigo,
    definicao: reader.text(members, 'definicao'),
    orientacaoPreenchimento: reader.text(members, 'orientacaoPreenchimento'),
    formaPreenchimento,
    // The public service writes 0 for an unset size: a size of 0 would admit no value.
    ...(tamanhoMaximo === undefined || tamanhoMaximo === 0 ? {} : { tamanhoMaximo }),
    ...(casasDecimais === undefined ? {} : { casasDecimais }),
    ...(mascara === '' ? {} : { mascara }),
    ...reader.validity(members),
    obrigatorio: reader.flag(members, 'obrigatorio'),
    dominio: readDomain(reader, members),
    objetivos: reader.each(members, 'objetivos', (objective) => readObjective(reader, objective)),
    orgaos: reader.each(members, 'orgaos', (agency) => readAgency(reader, agency)),
    atributoCondicionante: reader.flag(members, 'atributoCondicionante'),
    condicionados: reader.each(members, 'condicionados', (conditional) =>
      readConditional(reader, conditional, links, conditionedPosition),
    ),
    listaSubatributos: isCompound
      ? reader.each(members, 'listaSubatributos', (sub) =>
          readSubattribute(reader, sub, links, subattributePosition, subCodes),
        )
      : [],
  };
}

function readDomain(reader: TableReader, members: Members): DomainItem[] {
  const descriptions = new Map<string, string>();
  return reader.each(members, 'dominio', (item) => {
    const value = reader.object(item);
    if (value === undefined) return undefined;
    const codigo = reader.requiredText(value, 'codigo', VALUE_MAX);
    const descricao = reader.text(value, 'descricao');
    const earlier = descriptions.get(codigo);
    // A repeated identical line is harmless; two meanings of one code are a fault.
    if (earlier === descricao) return undefined;
    if (earlier !== undefined)
      reader.fault(
        TABLE_CODES.duplicate,
        `o código ${formatValue(codigo)} já está neste domínio como ${formatValue(earlier)}.`,
        'codigo',
      );
    descriptions.set(codigo, descricao);
    return { codigo, descricao };
  });
}

function readObjective(reader: TableReader, item: unknown): Objective | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  const codigo = reader.count(members, 'codigo');
  if (codigo === undefined) reader.fault(TABLE_CODES.layout, 'código do objetivo ausente.', 'codigo');
  return { codigo: codigo ?? 0, descricao: reader.text(members, 'descricao') };
}

function readAgency(reader: TableReader, item: unknown): string | undefined {
  if (item === null) return undefined;
  return reader.text({ orgao: item }, 'orgao');
}

function readSubattribute(
  reader: TableReader,
  item: unknown,
  links: Link[],
  position: Position,
  codes: Set<string>,
): AttributeDetail | undefined {
  const sub = readDetail(reader, item, links, position);
  if (sub !== undefined && codes.has(sub.codigo))
    reader.fault(
      TABLE_CODES.duplicate,
      `o subatributo ${formatValue(sub.codigo)} já está neste composto.`,
      'codigo',
    );
  if (sub !== undefined) codes.add(sub.codigo);
  return sub;
}

function readConditional(
  reader: TableReader,
  item: unknown,
  links: Link[],
  position: Position,
): Conditional | undefined {
  const members = reader.object(item);
  if (members === undefined) return undefined;
  if (!hasFullDescription(members['atributo'])) {
    reader.fault(
      TABLE_CODES.unknownAttribute,
      'o atributo condicionado não está descrito; é esperada a descrição completa dele.',
      'atributo',
    );
    return undefined;
  }
  const condicao = reader.within(members, 'condicao', (value) => readCondition(reader, value));
  const atributo = reader.within(members, 'atributo', (value) => readDetail(reader, value, links, position));
  if (condicao === undefined || atributo === undefined) return undefined;
  return {
    obrigatorio: reader.flag(members, 'obrigatorio'),
    multivalorado: reader.flag(members, 'multivalorado'),
    ...reader.validity(members),
    descricaoCondicao: reader.text(members, 'descricaoCondicao'),
    condicao,
    atributo,
  };
}

/** Returns true unless the value is absent or only a code: a conditioned attribute nests its full description. */
const hasFullDescription = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  (typeof value !== 'object' || ('codigo' in value && 'formaPreenchimento' in value));

/** Reads the terms in a loop, since a condition may nest as deep as the file is long. */
function readCondition(reader: TableReader, value: unknown): Condition | undefined {
  const terms: Term[] = [];
  for (let next = value; ;) {
    const members = reader.object(next);
    if (members === undefined) return undefined;
    const operador = reader.oneOf(members, 'operador', OPERADORES);
    const valor = reader.requiredText(members, 'valor', VALUE_MAX);
    next = members['condicao'];
    const isLast = next === undefined || next === null;
    const composicao = isLast ? undefined : reader.oneOf(members, 'composicao', COMPOSICOES);
    if (operador === undefined || (!isLast && composicao === undefined)) return undefined;
    terms.push({ operador, valor, composicao });
    if (isLast) return nestTerms(terms);
    if (terms.length >= MAX_CONDITION_TERMS) {
      reader.fault(TABLE_CODES.layout, `condição com mais de ${MAX_CONDITION_TERMS} termos.`);
      return undefined;
    }
  }
}

function nestTerms(terms: readonly Term[]): Condition | undefined {
  let condition: Condition | undefined;
  for (const { operador, valor, composicao } of terms.toReversed())
    condition =
      composicao === undefined || condition === undefined
        ? { operador, valor }
        : { operador, valor, composicao, condicao: condition };
  return condition;
}
