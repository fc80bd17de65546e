/**
 * Decides which attributes of a scope apply, given the received values (contract section 8): a pair in force
 * applies; a conditioned attribute applies when its parent does and one of the parent's values satisfies the
 * condition. An attribute that applies may be required. A value may be present on more days: before the first
 * day, to meet a deadline, and after the last, because an end never makes a product invalid.
 */
import { isSatisfied } from './condition.ts';
import type { Claim, DayNumber, Scope, AttributeSlot } from './prepare.ts';

export interface Situation {
  readonly day: DayNumber;
  readonly modalities: number;
}

/** Content of a product for one attribute. */
export interface SlotContent {
  readonly slot: AttributeSlot;
  /** Values of an attribute that is not a compound. */
  readonly values: readonly string[] | undefined;
  /**
   * True if the values break no rule of their own. An attribute that depends on a broken value cannot be
   * decided.
   */
  isSound: boolean;
}

export type ApplicabilityState = 'applies' | 'undecided' | 'not';

/**
 * Returns a function that computes a value once for each attribute of a scope. An attribute that depends on
 * itself gets `valueInCircle`; an accepted table has no such cycle.
 */
function memoized<T>(
  { slots }: Scope,
  valueInCircle: T,
  compute: (slot: AttributeSlot) => T,
): (slot: AttributeSlot) => T {
  const valuesBySlot = new Array<T | undefined>(slots.length);
  return (slot) => {
    let value = valuesBySlot[slot.index];
    if (value === undefined) {
      valuesBySlot[slot.index] = valueInCircle;
      value = valuesBySlot[slot.index] = compute(slot);
    }
    return value;
  };
}

export class Applicability {
  readonly #situation: Situation;
  readonly #contents: readonly (SlotContent | undefined)[];
  /** Returns true if the scope has the attribute on the day, independent of the values. */
  readonly isInForce: (slot: AttributeSlot) => boolean;
  readonly stateOf: (slot: AttributeSlot) => ApplicabilityState;
  /** Returns true if the table names the attribute for the modality, for any day and values. */
  readonly isOfModality: (slot: AttributeSlot) => boolean;
  /** Returns true if a value of the attribute is allowed. */
  readonly isAllowed: (slot: AttributeSlot) => boolean;

  /** `contents` is indexed by slot. */
  constructor(scope: Scope, situation: Situation, contents: readonly (SlotContent | undefined)[]) {
    this.#situation = situation;
    this.#contents = contents;
    this.isInForce = memoized(scope, false, ({ claims }) =>
      claims.some((claim) => this.isClaimInForce(claim)),
    );
    this.stateOf = memoized(scope, 'not', ({ claims }) => this.#stateBy(claims));
    this.isOfModality = memoized(scope, false, ({ claims }) =>
      claims.some((claim) => this.isClaimOfModality(claim)),
    );
    this.isAllowed = memoized(scope, false, ({ claims }) => claims.some((claim) => this.isAllowedBy(claim)));
  }

  #stateBy(claims: readonly Claim[]): ApplicabilityState {
    let overallState: ApplicabilityState = 'not';
    for (const claim of claims) {
      const state = this.stateOfClaim(claim);
      if (state !== 'not') overallState = state;
      if (state === 'applies') break;
    }
    return overallState;
  }

  stateOfClaim(claim: Claim): ApplicabilityState {
    if (!this.#isWithinDays(claim)) return 'not';
    const { parent, condition } = claim;
    if (parent === undefined || condition === undefined) return this.#hasModality(claim) ? 'applies' : 'not';
    const state = this.stateOf(parent);
    const parentContent = this.#contents[parent.index];
    // An absent parent satisfies no condition, not even `!=`.
    if (state === 'not' || parentContent === undefined) return 'not';
    if (!parentContent.isSound) return 'undecided';
    return parentContent.values?.some((value) => isSatisfied(condition, value)) === true ? state : 'not';
  }

  /** Returns true if the claim requires a value, so that a product without one violates it. */
  isUnmetWithoutValue(claim: Claim): boolean {
    return claim.required && this.stateOfClaim(claim) === 'applies';
  }

  isClaimInForce(claim: Claim): boolean {
    if (!this.#isWithinDays(claim)) return false;
    return claim.parent === undefined ? this.#hasModality(claim) : this.isInForce(claim.parent);
  }

  /** Returns true if a value may be present. Outside the days of the claim, its condition is not checked. */
  isAllowedBy(claim: Claim): boolean {
    const { parent, condition } = claim;
    if (parent === undefined || condition === undefined || !this.#isWithinDays(claim))
      return this.isClaimOfModality(claim);
    const parentContent = this.#contents[parent.index];
    if (parentContent === undefined || !this.isAllowed(parent)) return false;
    return (
      !parentContent.isSound || parentContent.values?.some((value) => isSatisfied(condition, value)) === true
    );
  }

  isClaimOfModality(claim: Claim): boolean {
    return claim.parent === undefined ? this.#hasModality(claim) : this.isOfModality(claim.parent);
  }

  #isWithinDays({ from, to }: Claim): boolean {
    const { day } = this.#situation;
    return from <= day && day <= to;
  }

  #hasModality(claim: Claim): boolean {
    return (claim.modalities & this.#situation.modalities) !== 0;
  }
}
