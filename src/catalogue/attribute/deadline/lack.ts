/** Decides which products a requirement concerns, and which of them have no value for it; pure. */
import type { Day } from '../../../clock.ts';
import { Applicability, type Given } from '../check/applicability.ts';
import { type Claim, MODALITY_BITS, type Scope, type Slot, dayNumber } from '../check/prepare.ts';
import type { AttributeValue } from '../words/model.ts';
import type { ActiveProduct } from '../../product/active-store.ts';
import { attributesOf } from '../../product/record.ts';
import type { Place, Requirement } from './requirements.ts';

/** Content of a product, by attribute code. */
interface Held {
  readonly values?: readonly string[];
  readonly groups?: readonly (readonly AttributeValue[])[];
}
type Holdings = ReadonlyMap<string, Held>;

/** Result of one requirement for one product. */
export type Standing = 'not required' | 'filled' | 'missing';

export function standingOf(product: Omit<ActiveProduct, 'id'>): (requirement: Requirement) => Standing {
  const modalities = product.modalidade === null ? 0 : MODALITY_BITS[product.modalidade];
  let cachedHoldings: Holdings | undefined;
  return (requirement) => {
    // The modality does not matter: the product has the NCM that ends.
    if (requirement.codigo === null) return 'missing';
    const { on, codigo, modalidade, places } = requirement;
    const bit = MODALITY_BITS[modalidade];
    if ((modalities & bit) === 0) return 'not required';
    if (places.some(isPair) && places.every(({ compound }) => compound === undefined)) {
      const has = hasSingle(product, codigo);
      if (has !== undefined) return has ? 'filled' : 'missing';
    }
    const holdings = (cachedHoldings ??= holdingsOf(product));
    let standing: Standing = 'not required';
    for (const { compound, scope, claim } of places)
      for (const around of compound === undefined ? [holdings] : groupsIn(holdings, compound)) {
        if (claim.parent !== undefined && !holds(scope, claim, on, bit, around)) continue;
        if (isEmpty(around.get(codigo))) return 'missing';
        standing = 'filled';
      }
    return standing;
  };
}

const isPair = ({ compound, claim }: Place): boolean => compound === undefined && claim.parent === undefined;

/**
 * Returns true if the product has a single value. It searches the JSON text without parsing, which is most
 * of the work: within a text the quotation marks would be escaped.
 * `undefined`: the attribute may be one that holds more than one value.
 */
function hasSingle(product: Omit<ActiveProduct, 'id'>, codigo: string): boolean | undefined {
  if (product.atributos?.includes(`"atributo":${JSON.stringify(codigo)}`) === true) return true;
  const { atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } = product;
  return (atributosMultivalorados ?? atributosCompostos ?? atributosCompostosMultivalorados) === null
    ? false
    : undefined;
}

/** Returns true if the condition holds on the day. */
function holds(scope: Scope, claim: Claim, on: Day, modalities: number, holdings: Holdings): boolean {
  const situation = { day: dayNumber(on), modalities };
  return new Applicability(scope, situation, givenIn(scope, holdings)).asksFor(claim);
}

/** The values of an active product are sound. */
const givenIn = ({ slots }: Scope, holdings: Holdings): readonly (Given | undefined)[] =>
  slots.map((slot) => {
    const held = holdings.get(slot.attribute.codigo);
    return held && { slot, values: held.values, sound: true };
  });

const isEmpty = (held: Held | undefined): boolean => (held?.values ?? held?.groups ?? []).length === 0;

function holdingsOf(product: Omit<ActiveProduct, 'id'>): Holdings {
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
