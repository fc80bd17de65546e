/** Defines the refusal of a sign-in by the provider. */
import { PROVIDER_CODES, type ProviderRule } from './codes.ts';

/** The person that the provider named; members that it did not send are absent. */
export interface ReceivedPerson {
  readonly issuer?: string;
  readonly sub?: string;
  readonly cpf?: string;
}

/** A refused sign-in by the provider. The message is the meaning of its code. */
export class ProviderRefusal extends Error {
  readonly rule: Exclude<ProviderRule, 'badCode'>;
  /** The reason for administrators: one line without secrets. */
  readonly reason: string;
  readonly received: ReceivedPerson;

  constructor(rule: Exclude<ProviderRule, 'badCode'>, reason: string, received: ReceivedPerson = {}) {
    super(PROVIDER_CODES[rule].meaning);
    this.rule = rule;
    this.reason = reason;
    this.received = received;
  }

  get code(): string {
    return PROVIDER_CODES[this.rule].code;
  }
}
