/**
 * Prepares the rules of one NCM for many checks: attributes by code, each with the claims of its pairs and
 * conditions, for any day and modality (contract section 8).
 */
import type { Day } from '../../../clock.ts';
import { type PreparedCondition, prepareCondition } from './condition.ts';
import {
  type AttributeDetail,
  type Conditional,
  type ListName,
  type Modalidade,
  type NcmPairs,
  PRODUCT_OBJECTIVE,
  type PairModalidade,
  type Validity,
  listOf,
} from '../words/model.ts';
import { type ValueRule, prepareValue } from './value.ts';

/** Modalities as bits, so that AMBOS has both bits. */
export const MODALITY_BITS: Readonly<Record<Modalidade | PairModalidade, number>> = {
  Importação: 1,
  IMPORTACAO: 1,
  Exportação: 2,
  EXPORTACAO: 2,
  AMBOS: 3,
};

/** Attribute, prepared once for all NCMs that have it. */
export interface PreparedAttribute {
  readonly codigo: string;
  /** Example: `ATT_1 (Forma física)`. */
  readonly label: string;
  readonly detail: AttributeDetail;
  readonly value: ValueRule;
  /** Sub-attributes of a compound. */
  readonly subattributes: Scope | undefined;
}

/** Day as a number `yyyyMMdd`: each check compares some hundred days, and texts compare ten times slower. */
export type DayNumber = number;

export const dayNumber = (day: Day): DayNumber =>
  Number(day.slice(0, 4)) * 10_000 + Number(day.slice(5, 7)) * 100 + Number(day.slice(8));

/** Returns the day of a number other than `NEVER_ENDS`. */
export const dayOfNumber = (day: DayNumber): Day =>
  String(day).replace(
    /^(\d+)(\d\d)(\d\d)$/,
    (_, year: string, month: string, date: string) => `${year.padStart(4, '0')}-${month}-${date}`,
  );

export const NEVER_ENDS: DayNumber = 9999_99_99;

/**
 * Reason for an attribute to be present: a pair of the NCM, a membership in a compound, or a condition on a
 * parent.
 */
export interface Claim {
  readonly modalities: number;
  readonly from: DayNumber;
  readonly to: DayNumber;
  readonly required: boolean;
  readonly list: ListName;
  readonly parent: AttributeSlot | undefined;
  readonly condition: PreparedCondition | undefined;
}

/** Attribute in its scope. */
export interface AttributeSlot {
  readonly index: number;
  readonly attribute: PreparedAttribute;
  readonly claims: readonly Claim[];
}

/** Attributes of an NCM, or sub-attributes of a compound. */
export interface Scope {
  readonly slots: readonly AttributeSlot[];
  readonly byCode: ReadonlyMap<string, AttributeSlot>;
}

export interface PreparedNcm {
  /** Eight digits. */
  readonly ncm: string;
  readonly scope: Scope;
  /** Attributes of the NCM that are not about products, named in the message when one is sent. */
  readonly otherObjectives: ReadonlySet<string>;
}

/** Rules of a future table for an NCM: values for them are accepted before that day. */
export interface FutureRules {
  readonly from: Day;
  readonly pairs: NcmPairs;
  readonly details: ReadonlyMap<string, AttributeDetail>;
}

/**
 * Prepares an NCM. `details` holds at least the attributes that the pairs name; share its values between
 * calls to share the work.
 */
export function prepare(
  { codigoNcm, listaAtributos }: NcmPairs,
  details: ReadonlyMap<string, AttributeDetail>,
  futureRules: readonly FutureRules[] = [],
): PreparedNcm {
  const builder = new ScopeBuilder(false);
  const otherObjectives = addPairs(builder, listaAtributos, details, codigoNcm);
  for (const { from, pairs, details: futureDetails } of futureRules) {
    builder.notBefore = dayNumber(from);
    addPairs(builder, pairs.listaAtributos, futureDetails, codigoNcm);
  }
  return { ncm: codigoNcm, scope: builder.build(), otherObjectives };
}

/** Returns the attributes that are not about products. */
function addPairs(
  builder: ScopeBuilder,
  pairs: NcmPairs['listaAtributos'],
  details: ReadonlyMap<string, AttributeDetail>,
  codigoNcm: string,
): ReadonlySet<string> {
  const otherObjectives = new Set<string>();
  for (const pair of pairs) {
    const detail = details.get(pair.codigo);
    if (detail === undefined) throw new Error(`attribute ${pair.codigo} of NCM ${codigoNcm} has no detail`);
    if (!hasProductObjective(detail)) otherObjectives.add(pair.codigo);
    else
      builder.addClaim(detail, {
        modalities: MODALITY_BITS[pair.modalidade],
        ...overlap(pair, detail),
        required: pair.obrigatorio,
        list: listOf(detail.formaPreenchimento, pair.multivalorado),
        parent: undefined,
        condition: undefined,
      });
  }
  return otherObjectives;
}

const hasProductObjective = ({ objetivos }: AttributeDetail): boolean =>
  objetivos.some(({ codigo }) => codigo === PRODUCT_OBJECTIVE);

/** Returns true for a nested attribute of the catalogue. Without an objective it has that of its parent. */
const isForProducts = (detail: AttributeDetail): boolean =>
  detail.objetivos.length === 0 || hasProductObjective(detail);

/** Returns the days on which both are valid. */
function overlap(a: Validity, b: Validity): Pick<Claim, 'from' | 'to'> {
  const [ownDays, others] = [daysOf(a), daysOf(b)];
  return { from: Math.max(ownDays.from, others.from), to: Math.min(ownDays.to, others.to) };
}

export const daysOf = ({ dataInicioVigencia, dataFimVigencia }: Validity): Pick<Claim, 'from' | 'to'> => ({
  from: dayNumber(dataInicioVigencia),
  to: dataFimVigencia === '' ? NEVER_ENDS : dayNumber(dataFimVigencia),
});

interface OpenSlot extends AttributeSlot {
  readonly claims: Claim[];
}

class ScopeBuilder {
  readonly #isGroup: boolean;
  readonly #slots: OpenSlot[] = [];
  readonly #byCode = new Map<string, OpenSlot>();
  /** Claims added after this is set do not begin before this day. */
  notBefore: DayNumber = 0;

  /** `isGroup`: attributes in a group have a single value, even if the table says more (contract section 4). */
  constructor(isGroup: boolean) {
    this.#isGroup = isGroup;
  }

  /**
   * Adds a claim to an attribute, and the claims of its conditions to the attributes that they condition.
   */
  addClaim(detail: AttributeDetail, claim: Claim): void {
    const existingSlot = this.#byCode.get(detail.codigo);
    const slot = existingSlot ?? this.#open(detail);
    slot.claims.push(claim.from < this.notBefore ? { ...claim, from: this.notBefore } : claim);
    // Another copy of a description may have other conditions. The same copy has the same ones.
    if (existingSlot === undefined || existingSlot.attribute.detail !== detail)
      for (const conditional of detail.condicionados) this.#addConditional(conditional, slot, detail);
  }

  build(): Scope {
    return { slots: this.#slots, byCode: this.#byCode };
  }

  #open(detail: AttributeDetail): OpenSlot {
    const slot = { index: this.#slots.length, attribute: prepareAttribute(detail), claims: [] };
    this.#slots.push(slot);
    this.#byCode.set(detail.codigo, slot);
    return slot;
  }

  #addConditional(conditional: Conditional, parent: OpenSlot, parentDetail: AttributeDetail): void {
    const { atributo } = conditional;
    if (!isForProducts(atributo)) return;
    this.addClaim(atributo, {
      modalities: ANY_MODALITY,
      ...overlap(conditional, atributo),
      required: conditional.obrigatorio,
      list: listOf(atributo.formaPreenchimento, conditional.multivalorado && !this.#isGroup),
      parent,
      condition: prepareCondition(conditional.condicao, parentDetail),
    });
  }
}

/** Modality of conditioned attributes and sub-attributes: their parent or compound decides. */
const ANY_MODALITY = MODALITY_BITS.AMBOS;

/** Cache by description, which NCMs share: preparing a domain of thousands of codes is expensive. */
const preparedAttributes = new WeakMap<AttributeDetail, PreparedAttribute>();

function prepareAttribute(detail: AttributeDetail): PreparedAttribute {
  let attribute = preparedAttributes.get(detail);
  if (attribute === undefined) {
    attribute = {
      codigo: detail.codigo,
      label: `${detail.codigo} (${detail.nomeApresentacao})`,
      detail,
      value: prepareValue(detail),
      subattributes: detail.formaPreenchimento === 'COMPOSTO' ? prepareGroup(detail) : undefined,
    };
    preparedAttributes.set(detail, attribute);
  }
  return attribute;
}

function prepareGroup(compound: AttributeDetail): Scope {
  const builder = new ScopeBuilder(true);
  for (const sub of compound.listaSubatributos.filter(isForProducts))
    builder.addClaim(sub, {
      modalities: ANY_MODALITY,
      ...daysOf(sub),
      required: sub.obrigatorio,
      list: 'atributos',
      parent: undefined,
      condition: undefined,
    });
  return builder.build();
}
