/**
 * Makes the rules of one NCM ready to be checked many times: attributes by code, each with the claims that pairs and
 * conditions lay on it, whatever the day and the modality (contract section 8).
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

/** Bits, so that AMBOS is both. */
export const MODALITY_BITS: Readonly<Record<Modalidade | PairModalidade, number>> = {
  Importação: 1,
  IMPORTACAO: 1,
  Exportação: 2,
  EXPORTACAO: 2,
  AMBOS: 3,
};

/** An attribute, prepared once however many NCMs have it. */
export interface PreparedAttribute {
  readonly codigo: string;
  /** `ATT_1 (Forma física)`. */
  readonly label: string;
  readonly detail: AttributeDetail;
  readonly value: ValueRule;
  /** The sub-attributes of a compound. */
  readonly subattributes: Scope | undefined;
}

/** A day as `yyyyMMdd`: each check compares some hundred days, and texts compare ten times slower. */
export type DayNumber = number;

export const dayNumber = (day: Day): DayNumber =>
  Number(day.slice(0, 4)) * 10_000 + Number(day.slice(5, 7)) * 100 + Number(day.slice(8));

/** The day that it stands for; none has the end of what never ends. */
export const dayOfNumber = (day: DayNumber): Day =>
  String(day).replace(
    /^(\d+)(\d\d)(\d\d)$/,
    (_, year: string, month: string, date: string) => `${year.padStart(4, '0')}-${month}-${date}`,
  );

export const NEVER_ENDS: DayNumber = 9999_99_99;

/** One reason for an attribute to be there: a pair of the NCM, a place in a compound, or a condition on a parent. */
export interface Claim {
  readonly modalities: number;
  readonly from: DayNumber;
  readonly to: DayNumber;
  readonly required: boolean;
  readonly list: ListName;
  readonly parent: Slot | undefined;
  readonly condition: PreparedCondition | undefined;
}

/** An attribute in its scope. */
export interface Slot {
  readonly index: number;
  readonly attribute: PreparedAttribute;
  readonly claims: readonly Claim[];
}

/** What may stand side by side: the attributes of an NCM, or the sub-attributes of a compound. */
export interface Scope {
  readonly slots: readonly Slot[];
  readonly byCode: ReadonlyMap<string, Slot>;
}

export interface PreparedNcm {
  /** Eight digits. */
  readonly ncm: string;
  readonly scope: Scope;
  /** Attributes of the NCM that are not about products, to say so when one is sent. */
  readonly otherObjectives: ReadonlySet<string>;
}

/** What a table that is put in force for a day to come says of an NCM: values for it are taken before that day. */
export interface ComingRules {
  readonly from: Day;
  readonly pairs: NcmPairs;
  readonly details: ReadonlyMap<string, AttributeDetail>;
}

/** `details` holds at least the attributes that the pairs name; share its values between calls to share the work. */
export function prepare(
  { codigoNcm, listaAtributos }: NcmPairs,
  details: ReadonlyMap<string, AttributeDetail>,
  coming: readonly ComingRules[] = [],
): PreparedNcm {
  const builder = new ScopeBuilder(false);
  const otherObjectives = addPairs(builder, listaAtributos, details, codigoNcm);
  for (const { from, pairs, details: theirs } of coming) {
    builder.notBefore = dayNumber(from);
    addPairs(builder, pairs.listaAtributos, theirs, codigoNcm);
  }
  return { ncm: codigoNcm, scope: builder.build(), otherObjectives };
}

/** Answers the attributes that are not about products. */
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
      builder.add(detail, {
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

/** Where a nested attribute states no objective it shares that of the attribute around it. */
const isForProducts = (detail: AttributeDetail): boolean =>
  detail.objetivos.length === 0 || hasProductObjective(detail);

/** The days on which both are valid. */
function overlap(a: Validity, b: Validity): Pick<Claim, 'from' | 'to'> {
  const [days, others] = [daysOf(a), daysOf(b)];
  return { from: Math.max(days.from, others.from), to: Math.min(days.to, others.to) };
}

export const daysOf = ({ dataInicioVigencia, dataFimVigencia }: Validity): Pick<Claim, 'from' | 'to'> => ({
  from: dayNumber(dataInicioVigencia),
  to: dataFimVigencia === '' ? NEVER_ENDS : dayNumber(dataFimVigencia),
});

interface OpenSlot extends Slot {
  readonly claims: Claim[];
}

class ScopeBuilder {
  readonly #inGroup: boolean;
  readonly #slots: OpenSlot[] = [];
  readonly #byCode = new Map<string, OpenSlot>();
  /** The first day of what is added from now on. */
  notBefore: DayNumber = 0;

  /** A group holds single values only, whatever a description says (contract section 4). */
  constructor(inGroup: boolean) {
    this.#inGroup = inGroup;
  }

  /** Lays a claim on an attribute, and those of its conditions on the attributes that they condition. */
  add(detail: AttributeDetail, claim: Claim): void {
    const known = this.#byCode.get(detail.codigo);
    const slot = known ?? this.#open(detail);
    slot.claims.push(claim.from < this.notBefore ? { ...claim, from: this.notBefore } : claim);
    // Another copy of a description may carry other conditions; the same one says nothing new.
    if (known === undefined || known.attribute.detail !== detail)
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
    this.add(atributo, {
      modalities: ANY_MODALITY,
      ...overlap(conditional, atributo),
      required: conditional.obrigatorio,
      list: listOf(atributo.formaPreenchimento, conditional.multivalorado && !this.#inGroup),
      parent,
      condition: prepareCondition(conditional.condicao, parentDetail),
    });
  }
}

/** Of a conditioned attribute the parent decides, of a sub-attribute the compound. */
const ANY_MODALITY = MODALITY_BITS.AMBOS;

/** The same description serves every NCM that has the attribute: a domain may have thousands of codes. */
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
    builder.add(sub, {
      modalities: ANY_MODALITY,
      ...daysOf(sub),
      required: sub.obrigatorio,
      list: 'atributos',
      parent: undefined,
      condition: undefined,
    });
  return builder.build();
}
