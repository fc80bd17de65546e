/** Decides whether a requirement concerns a product, and whether the product has a value for it; pure. */
import type { Day } from '../../../clock.ts';
import { Applicability, type SlotContent } from '../check/applicability.ts';
import { type Claim, MODALITY_BITS, type Scope, type AttributeSlot, dayNumber } from '../check/prepare.ts';
import type { AttributeValue } from '../words/model.ts';
import type { ActiveProduct } from '../../product/active-store.ts';
import { attributesOf } from '../../product/record.ts';
import type { AttributeRequirement, ClaimPosition, Requirement } from './requirements.ts';

/** Content of a product, by attribute code. */
interface AttributeContent {
  readonly values?: readonly string[];
  readonly groups?: readonly (readonly AttributeValue[])[];
}
type ContentByCode = ReadonlyMap<string, AttributeContent>;

/** Result of one requirement for one product. */
export type Fulfilment = 'not required' | 'filled' | 'missing';

export function fulfilmentOf(product: Omit<ActiveProduct, 'id'>): (requirement: Requirement) => Fulfilment {
  const modalities = product.modalidade === null ? 0 : MODALITY_BITS[product.modalidade];
  let cachedContents: ContentByCode | undefined;
  return (requirement) => {
    // An NCM that ends concerns both modalities.
    if (requirement.codigo === null) return 'missing';
    const { on, codigo, modalidade, positions } = requirement;
    const bit = MODALITY_BITS[modalidade];
    if ((modalities & bit) === 0) return 'not required';
    const text = textOf(requirement);
    if (text !== '') {
      const isFilled = hasSingle(product, text);
      if (isFilled !== undefined) return isFilled ? 'filled' : 'missing';
    }
    const contents = (cachedContents ??= contentsOf(product));
    let fulfilment: Fulfilment = 'not required';
    for (const { compound, scope, claim } of positions)
      for (const groupContents of compound === undefined ? [contents] : groupsOf(contents, compound)) {
        if (claim.parent !== undefined && !isConditionMet(scope, claim, on, bit, groupContents)) continue;
        if (isEmpty(groupContents.get(codigo))) return 'missing';
        fulfilment = 'filled';
      }
    return fulfilment;
  };
}

const isPair = ({ compound, claim }: ClaimPosition): boolean =>
  compound === undefined && claim.parent === undefined;

/** Cache by requirement, which thousands of products share. */
const textsOfPairs = new WeakMap<AttributeRequirement, string>();

/** Returns the text of a single value of the attribute. `''`: the requirement depends on other values. */
function textOf(requirement: AttributeRequirement): string {
  let text = textsOfPairs.get(requirement);
  if (text === undefined) {
    const { codigo, positions } = requirement;
    const isOfPair = positions.some(isPair) && positions.every(({ compound }) => compound === undefined);
    text = isOfPair ? `"atributo":${JSON.stringify(codigo)}` : '';
    textsOfPairs.set(requirement, text);
  }
  return text;
}

/**
 * Returns true if the product has a value in the list of single values. It searches the JSON text, because
 * parsing would be most of the work; quotation marks inside a value are escaped, so they cannot match.
 * `undefined`: another list may have the attribute.
 */
function hasSingle(product: Omit<ActiveProduct, 'id'>, text: string): boolean | undefined {
  if (product.atributos?.includes(text) === true) return true;
  return product.atributosMultivalorados === null &&
    product.atributosCompostos === null &&
    product.atributosCompostosMultivalorados === null
    ? false
    : undefined;
}

/** Returns true if the condition of the claim is satisfied on the day. */
function isConditionMet(
  scope: Scope,
  claim: Claim,
  on: Day,
  modalities: number,
  contents: ContentByCode,
): boolean {
  const situation = { day: dayNumber(on), modalities };
  return new Applicability(scope, situation, slotContents(scope, contents)).isUnmetWithoutValue(claim);
}

/** Returns the contents for the check of conditions. The values of an active product are sound. */
const slotContents = ({ slots }: Scope, contents: ContentByCode): readonly (SlotContent | undefined)[] =>
  slots.map((slot) => {
    const content = contents.get(slot.attribute.codigo);
    return content && { slot, values: content.values, isSound: true };
  });

const isEmpty = (content: AttributeContent | undefined): boolean =>
  (content?.values ?? content?.groups ?? []).length === 0;

function contentsOf(product: Omit<ActiveProduct, 'id'>): ContentByCode {
  const lists = attributesOf(product);
  const contents = new Map<string, AttributeContent>(singleValues(lists.atributos));
  for (const { atributo, valores } of lists.atributosMultivalorados)
    contents.set(atributo, { values: valores });
  for (const { atributo, valores } of lists.atributosCompostos) contents.set(atributo, { groups: [valores] });
  for (const { atributo, valores } of lists.atributosCompostosMultivalorados)
    contents.set(atributo, { groups: valores });
  return contents;
}

const singleValues = (values: readonly AttributeValue[]) =>
  values.map(({ atributo, valor }): [string, AttributeContent] => [atributo, { values: [valor] }]);

const groupsOf = (contents: ContentByCode, compound: AttributeSlot): readonly ContentByCode[] =>
  (contents.get(compound.attribute.codigo)?.groups ?? []).map((group) => new Map(singleValues(group)));
