/** The fields of a product's attributes as they stand now: conditioned ones come and go with what is filled in. */
import {
  Applicability,
  type Given,
  type Situation,
} from '../../../catalogue/attribute/check/applicability.ts';
import {
  MODALITY_BITS,
  type PreparedNcm,
  type Scope,
  type Slot,
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
  type Placed,
  listsOf,
  valueIn,
} from '../../../catalogue/attribute/words/values.ts';

export interface Field {
  readonly codigo: string;
  readonly detail: AttributeDetail;
  readonly list: ListName;
  readonly isRequired: boolean;
  /** Whether it is there because of what another field holds. */
  readonly isConditioned: boolean;
  /** Of a compound: the fields of each group that is filled in; at least one. */
  readonly groups: readonly (readonly Field[])[];
}

export interface Situated {
  readonly prepared: PreparedNcm;
  /** The day on which the product is to be valid, `yyyy-MM-dd`. */
  readonly day: string;
  readonly modalidade: Modalidade;
  /** Attributes that will be asked for, which may be filled in before their day. */
  readonly coming?: ReadonlySet<string>;
}

/** The fields to show, in the order of the table. */
export function fieldsOf(situated: Situated, filled: AttributeValues): readonly Field[] {
  const { prepared, day, modalidade, coming = new Set() } = situated;
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade], coming };
  return fieldsIn(prepared.scope, situation, (codigo) => filled.values[codigo] ?? [], filled);
}

interface Occasion extends Situation {
  readonly coming: ReadonlySet<string>;
}

function fieldsIn(
  scope: Scope,
  situation: Occasion,
  valuesOf: (codigo: string) => readonly string[],
  filled: AttributeValues | undefined,
): readonly Field[] {
  const applicability = new Applicability(
    scope,
    situation,
    scope.slots.map((slot) => givenOf(slot, valuesOf(slot.attribute.codigo))),
  );
  const standsBeyond = (claim: Slot['claims'][number]): boolean =>
    !applicability.isClaimInForce(claim) && applicability.mayStandBy(claim);
  return scope.slots.flatMap((slot) => {
    const { codigo, detail, subattributes } = slot.attribute;
    const groups = filled?.groups[codigo] ?? [];
    const asking = slot.claims.filter((claim) => applicability.stateOfClaim(claim) === 'applies');
    // On other days than its own a value stands all the same: before, so that a deadline can be met, and after the end.
    const isKept = situation.coming.has(codigo) || valuesOf(codigo).length > 0 || groups.length > 0;
    const standing = isKept ? slot.claims.filter(standsBeyond) : [];
    const claims = asking.length > 0 ? asking : standing;
    const claim = asking.find(({ required }) => required) ?? claims[0];
    if (claim === undefined) return [];
    return {
      codigo,
      detail,
      list: claim.list,
      isRequired: asking.length > 0 && claim.required,
      isConditioned: claims.every(({ condition }) => condition !== undefined),
      groups:
        subattributes === undefined
          ? []
          : (groups.length === 0 ? [EMPTY_GROUP] : groups).map((group) =>
              fieldsIn(subattributes, situation, (part) => given(group[part]), undefined),
            ),
    };
  });
}

/** Every attribute that the table names for the NCM, whatever the day, the modality and the other values. */
export const everyFieldOf = ({ scope }: PreparedNcm): readonly Field[] => scope.slots.map(fieldOf);

function fieldOf({ attribute: { codigo, detail, subattributes }, claims: [claim] }: Slot): Field {
  const list = claim?.list ?? 'atributos';
  const groups = subattributes === undefined ? [] : [subattributes.slots.map(fieldOf)];
  return { codigo, detail, list, groups, isRequired: false, isConditioned: false };
}

/** An attribute that is filled in and that the NCM does not have, whatever the values: it is not sent. */
export interface LeftOver {
  readonly codigo: string;
  /** Its values; of a compound those of each group. */
  readonly texts: readonly string[];
}

export const textsOf = ({ values, groups }: AttributeValues): readonly LeftOver[] => [
  ...Object.entries(values).map(([codigo, texts]) => ({ codigo, texts })),
  ...Object.entries(groups).map(([codigo, all]) => ({
    codigo,
    texts: all.map((group) => Object.values(group).join(' · ')),
  })),
];

export function leftOver(
  { prepared: { scope }, day, modalidade }: Situated,
  filled: AttributeValues,
): readonly LeftOver[] {
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  const applicability = new Applicability(scope, situation, []);
  return textsOf(filled).filter(({ codigo, texts }) => {
    const slot = scope.byCode.get(codigo);
    const isOfNcm = slot !== undefined && applicability.isNamed(slot);
    return !isOfNcm && texts.some((text) => text !== '');
  });
}

const EMPTY_GROUP: Group = {};

const given = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);

/** On a value that breaks its own rule nothing hangs, as on the server. */
function givenOf(slot: Slot, all: readonly string[]): Given | undefined {
  const values = all.map((text) => valueIn(text, slot.attribute.value.forma)).filter((value) => value !== '');
  if (values.length === 0) return undefined;
  const sound = values.every((value) => valueFaults(slot.attribute.value, value).length === 0);
  return { slot, values, sound };
}

/** The four lists of what the fields hold; what is not shown any more is not sent. */
export function filledLists(fields: readonly Field[], filled: AttributeValues): AttributeLists {
  return listsOf(filled, fields.map(placedOf));
}

const placedOf = ({ codigo, list, detail, groups }: Field): Placed => ({
  codigo,
  list,
  forma: detail.formaPreenchimento,
  parts: new Map(groups.flat().map((part) => [part.codigo, part.detail.formaPreenchimento])),
});

/** What the server would say of these lists; pointers are its own (`/atributos/2/valor`). */
export const attributeProblems = (
  { prepared, day, modalidade }: Situated,
  lists: AttributeLists,
): readonly Problem[] => check(prepared, day, modalidade, lists);
