/**
 * Finds the attributes that a table names for an NCM, and the lists of a modality that they belong to
 * (contract section 8).
 */
import type { Day } from '../../../clock.ts';
import type { ListName, Modalidade, NcmAttributes } from '../words/model.ts';
import { Applicability } from '../check/applicability.ts';
import { type Claim, MODALITY_BITS, type PreparedNcm, dayNumber } from '../check/prepare.ts';

interface CachedDay {
  readonly day: Day;
  readonly attributes: NcmAttributes;
}

/** Caches the attributes of the last requested day, which is nearly always today. */
const attributesByNcm = new WeakMap<PreparedNcm, Map<Modalidade, CachedDay>>();

/** Returns the attributes, computed once for each modality and day. */
export function attributesOfNcm(prepared: PreparedNcm, day: Day, modalidade: Modalidade): NcmAttributes {
  const byModality = attributesByNcm.get(prepared) ?? new Map<Modalidade, CachedDay>();
  const cached = byModality.get(modalidade);
  if (cached?.day === day) return cached.attributes;
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  const applicability = new Applicability(prepared.scope, situation, []);
  const attributes: NcmAttributes = new Map(
    prepared.scope.slots.map(({ attribute: { codigo, detail, subattributes }, claims }) => {
      const parts = (subattributes?.slots ?? []).map(
        ({ attribute }) => [attribute.codigo, attribute.detail] as const,
      );
      return [codigo, { detail, lists: listsBy(claims, applicability), parts: new Map(parts) }];
    }),
  );
  attributesByNcm.set(prepared, byModality.set(modalidade, { day, attributes }));
  return attributes;
}

/**
 * Returns the lists of the claims in force on the day. Without such a claim, it returns the lists of claims
 * on other days, else the lists of the other modality, which the check refuses in any list.
 */
function listsBy(claims: readonly Claim[], applicability: Applicability): readonly ListName[] {
  const [inForce, ofModality] = [
    claims.filter((claim) => applicability.isClaimInForce(claim)),
    claims.filter((claim) => applicability.isClaimOfModality(claim)),
  ];
  const candidates = [inForce, ofModality].find(({ length }) => length > 0) ?? claims;
  // Lists that do not depend on other values come before those that do.
  const unconditional = candidates.filter(({ parent }) => parent === undefined);
  const lists = new Set((unconditional.length > 0 ? unconditional : candidates).map(({ list }) => list));
  // If both modalities have the attribute in different lists, the multi-valued list comes first.
  return [...lists].toSorted((a, b) => Number(isMultiValued(b)) - Number(isMultiValued(a)));
}

const isMultiValued = (list: ListName): boolean => list.endsWith('Multivalorados');
