/** The attributes that a table names for an NCM, and in which lists those of a modality belong (contract section 8). */
import type { Day } from '../../../clock.ts';
import type { ListName, Modalidade, NamedAttributes } from '../words/model.ts';
import { Applicability } from '../check/applicability.ts';
import { type Claim, MODALITY_BITS, type PreparedNcm, dayNumber } from '../check/prepare.ts';

interface OnDay {
  readonly day: Day;
  readonly attributes: NamedAttributes;
}

/** Of the day that was asked for last: that is today nearly always. */
const named = new WeakMap<PreparedNcm, Map<Modalidade, OnDay>>();

/** Made once for a modality and day. */
export function namedIn(prepared: PreparedNcm, day: Day, modalidade: Modalidade): NamedAttributes {
  const ofNcm = named.get(prepared) ?? new Map<Modalidade, OnDay>();
  const known = ofNcm.get(modalidade);
  if (known?.day === day) return known.attributes;
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  const applicability = new Applicability(prepared.scope, situation, []);
  const attributes: NamedAttributes = new Map(
    prepared.scope.slots.map(({ attribute: { codigo, detail, subattributes }, claims }) => {
      const parts = (subattributes?.slots ?? []).map(
        ({ attribute }) => [attribute.codigo, attribute.detail] as const,
      );
      return [codigo, { detail, lists: listsBy(claims, applicability), parts: new Map(parts) }];
    }),
  );
  named.set(prepared, ofNcm.set(modalidade, { day, attributes }));
  return attributes;
}

/** Those of the claims in force, else of those of other days, else of the other modality: it is refused there, whatever its list. */
function listsBy(claims: readonly Claim[], applicability: Applicability): readonly ListName[] {
  const [inForce, ofModality] = [
    claims.filter((claim) => applicability.isClaimInForce(claim)),
    claims.filter((claim) => applicability.isClaimNamed(claim)),
  ];
  const standing = [inForce, ofModality].find(({ length }) => length > 0) ?? claims;
  // What stands whatever the other values are comes before what hangs on them.
  const free = standing.filter(({ parent }) => parent === undefined);
  const lists = new Set((free.length > 0 ? free : standing).map(({ list }) => list));
  // Of one that both modalities have, each in its own way, several values go where several may stand.
  return [...lists].toSorted((a, b) => Number(isOfMany(b)) - Number(isOfMany(a)));
}

const isOfMany = (list: ListName): boolean => list.endsWith('Multivalorados');
