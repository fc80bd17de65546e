/**
 * Fields of the attributes of a product. Conditioned fields appear and disappear with the values of other
 * fields.
 */
import {
  Applicability,
  type SlotContent,
  type Situation,
} from '../../../catalogue/attribute/check/applicability.ts';
import {
  MODALITY_BITS,
  type PreparedNcm,
  type Scope,
  type AttributeSlot,
  dayNumber,
} from '../../../catalogue/attribute/check/prepare.ts';
import { check } from '../../../catalogue/attribute/check/rules.ts';
import { valueFaults } from '../../../catalogue/attribute/check/value.ts';
import type {
  AttributeDetail,
  AttributeLists,
  ListName,
  Modalidade,
} from '../../../catalogue/attribute/words/model.ts';
import type { Problem } from '../../../errors.ts';
import {
  type AttributeValues,
  type Group,
  type ListedAttribute,
  listsOf,
  valueOfText,
} from '../../../catalogue/attribute/words/values.ts';

export interface Field {
  readonly codigo: string;
  readonly detail: AttributeDetail;
  readonly list: ListName;
  readonly isRequired: boolean;
  /** True when the value of another field makes it appear. */
  readonly isConditioned: boolean;
  /** Fields of each group of a compound; at least one group. */
  readonly groups: readonly (readonly Field[])[];
}

export interface FormContext {
  readonly prepared: PreparedNcm;
  /** Date on which the product must be valid, `yyyy-MM-dd`. */
  readonly day: string;
  readonly modalidade: Modalidade;
  /** Attributes that a future table requires. They may be filled in before that date. */
  readonly coming?: ReadonlySet<string>;
}

/** Returns the visible fields in the order of the table. */
export function fieldsOf(context: FormContext, filled: AttributeValues): readonly Field[] {
  const { prepared, day, modalidade, coming = new Set() } = context;
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade], coming };
  return fieldsIn(prepared.scope, situation, (codigo) => filled.values[codigo] ?? [], filled);
}

interface FormSituation extends Situation {
  readonly coming: ReadonlySet<string>;
}

function fieldsIn(
  scope: Scope,
  situation: FormSituation,
  valuesOf: (codigo: string) => readonly string[],
  filled: AttributeValues | undefined,
): readonly Field[] {
  const applicability = new Applicability(
    scope,
    situation,
    scope.slots.map((slot) => slotContentOf(slot, valuesOf(slot.attribute.codigo))),
  );
  const isKeptBeyond = (claim: AttributeSlot['claims'][number]): boolean =>
    !applicability.isClaimInForce(claim) && applicability.isAllowedBy(claim);
  return scope.slots.flatMap((slot) => {
    const { codigo, detail, subattributes } = slot.attribute;
    const groups = filled?.groups[codigo] ?? [];
    const applicableClaims = slot.claims.filter((claim) => applicability.stateOfClaim(claim) === 'applies');
    // A value outside its validity period stays: before it, to meet a deadline; after it, to keep the data.
    const isKept = situation.coming.has(codigo) || valuesOf(codigo).length > 0 || groups.length > 0;
    const keptClaims = isKept ? slot.claims.filter(isKeptBeyond) : [];
    const claims = applicableClaims.length > 0 ? applicableClaims : keptClaims;
    const claim = applicableClaims.find(({ required }) => required) ?? claims[0];
    if (claim === undefined) return [];
    return {
      codigo,
      detail,
      list: claim.list,
      isRequired: applicableClaims.length > 0 && claim.required,
      isConditioned: claims.every(({ condition }) => condition !== undefined),
      groups:
        subattributes === undefined
          ? []
          : (groups.length === 0 ? [EMPTY_GROUP] : groups).map((group) =>
              fieldsIn(subattributes, situation, (part) => asList(group[part]), undefined),
            ),
    };
  });
}

/** Returns every attribute that the table lists for the NCM, for any date, modality and other values. */
export const everyFieldOf = ({ scope }: PreparedNcm): readonly Field[] => scope.slots.map(fieldOf);

function fieldOf({ attribute: { codigo, detail, subattributes }, claims: [claim] }: AttributeSlot): Field {
  const list = claim?.list ?? 'atributos';
  const groups = subattributes === undefined ? [] : [subattributes.slots.map(fieldOf)];
  return { codigo, detail, list, groups, isRequired: false, isConditioned: false };
}

/** Attribute that has a value but that the NCM never has. It is not sent. */
export interface DroppedAttribute {
  readonly codigo: string;
  /** Values; for a compound, those of each group. */
  readonly texts: readonly string[];
}

export const textsOf = ({ values, groups }: AttributeValues): readonly DroppedAttribute[] => [
  ...Object.entries(values).map(([codigo, texts]) => ({ codigo, texts })),
  ...Object.entries(groups).map(([codigo, all]) => ({
    codigo,
    texts: all.map((group) => Object.values(group).join(' · ')),
  })),
];

export function attributesToDrop(
  { prepared: { scope }, day, modalidade }: FormContext,
  filled: AttributeValues,
): readonly DroppedAttribute[] {
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  const applicability = new Applicability(scope, situation, []);
  return textsOf(filled).filter(({ codigo, texts }) => {
    const slot = scope.byCode.get(codigo);
    const isOfNcm = slot !== undefined && applicability.isOfModality(slot);
    return !isOfNcm && texts.some((text) => text !== '');
  });
}

const EMPTY_GROUP: Group = {};

const asList = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);

/** A value that breaks its own rule activates no conditioned attribute, as on the server. */
function slotContentOf(slot: AttributeSlot, all: readonly string[]): SlotContent | undefined {
  const values = all
    .map((text) => valueOfText(text, slot.attribute.value.forma))
    .filter((value) => value !== '');
  if (values.length === 0) return undefined;
  const isSound = values.every((value) => valueFaults(slot.attribute.value, value).length === 0);
  return { slot, values, isSound };
}

/** Returns the four lists of the visible fields. Hidden values are not sent. */
export const filledLists = (fields: readonly Field[], filled: AttributeValues): AttributeLists =>
  listsOf(filled, fields.map(listedAttributeOf));

const listedAttributeOf = ({ codigo, list, detail, groups }: Field): ListedAttribute => ({
  codigo,
  list,
  forma: detail.formaPreenchimento,
  parts: new Map(groups.flat().map((part) => [part.codigo, part.detail.formaPreenchimento])),
});

/**
 * Returns the problems that the server would report for these lists, with its pointers
 * (`/atributos/2/valor`).
 */
export const attributeProblems = (
  { prepared, day, modalidade }: FormContext,
  lists: AttributeLists,
): readonly Problem[] => check(prepared, day, modalidade, lists);
