/** Of which products something will be asked, and which of them have no value for it; pure. */
import { Applicability, type Given, type Situation } from '../check/applicability.ts';
import { type Claim, MODALITY_BITS, type Scope, type Slot, dayNumber } from '../check/prepare.ts';
import type { AttributeValue } from '../words/model.ts';
import type { VisitedProduct } from '../../product/active-store.ts';
import { attributesOf } from '../../product/record.ts';
import type { Ask } from './asks.ts';

/** What a product has, by the codes of attributes. */
interface Held {
  readonly values?: readonly string[];
  readonly groups?: readonly (readonly AttributeValue[])[];
}
type Holdings = ReadonlyMap<string, Held>;

/** How it stands with an ask, of one product after the other. */
export type Standing = 'not asked' | 'has it' | 'lacks it';

export function standingOf(product: VisitedProduct): (ask: Ask) => Standing {
  const modalities = product.modalidade === null ? 0 : MODALITY_BITS[product.modalidade];
  const holdings = holdingsOf(product);
  return ({ on, codigo, modalidade, places }) => {
    const bit = MODALITY_BITS[modalidade];
    if ((modalities & bit) === 0) return 'not asked';
    const situation = { day: dayNumber(on), modalities: bit };
    let standing: Standing = 'not asked';
    for (const { compound, scope, claim } of places)
      for (const around of compound === undefined ? [holdings] : groupsIn(holdings, compound)) {
        if (!isAsked(scope, claim, situation, around)) continue;
        if (isEmpty(around.get(codigo))) return 'lacks it';
        standing = 'has it';
      }
    return standing;
  };
}

/** Of a condition: whether it holds that day. */
function isAsked(scope: Scope, claim: Claim, situation: Situation, holdings: Holdings): boolean {
  return (
    claim.parent === undefined || new Applicability(scope, situation, givenIn(scope, holdings)).asksFor(claim)
  );
}

/** The values of a product that is active are sound. */
const givenIn = ({ slots }: Scope, holdings: Holdings): readonly (Given | undefined)[] =>
  slots.map((slot) => {
    const held = holdings.get(slot.attribute.codigo);
    return held && { slot, values: held.values, sound: true };
  });

const isEmpty = (held: Held | undefined): boolean => (held?.values ?? held?.groups ?? []).length === 0;

function holdingsOf(product: VisitedProduct): Holdings {
  const lists = attributesOf(product);
  const holdings = new Map<string, Held>(valuesIn(lists.atributos));
  for (const { atributo, valores } of lists.atributosMultivalorados)
    holdings.set(atributo, { values: valores });
  for (const { atributo, valores } of lists.atributosCompostos) holdings.set(atributo, { groups: [valores] });
  for (const { atributo, valores } of lists.atributosCompostosMultivalorados)
    holdings.set(atributo, { groups: valores });
  return holdings;
}

const valuesIn = (values: readonly AttributeValue[]) =>
  values.map(({ atributo, valor }): [string, Held] => [atributo, { values: [valor] }]);

const groupsIn = (holdings: Holdings, compound: Slot): readonly Holdings[] =>
  (holdings.get(compound.attribute.codigo)?.groups ?? []).map((group) => new Map(valuesIn(group)));
