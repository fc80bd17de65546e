/** Messages by e-mail: what they say, and what became of an attempt to send one (contract section 27). */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../clock.ts';

/** The content of a message, from which its text and its HTML are made. All texts are Portuguese. */
export interface EmailContent {
  readonly subject: string;
  /** Paragraphs above the groups. */
  readonly lead: readonly string[];
  readonly groups: readonly EmailGroup[];
}

export interface EmailGroup {
  /** `''`: none. */
  readonly heading: string;
  /** The company of the items: a person who no longer represents it does not get them. */
  readonly company?: string;
  readonly items: readonly EmailItem[];
}

export interface EmailItem {
  readonly text: string;
  /** A path of the pages (`/corrigir?…`), and the words of its link. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** A message to queue. */
export interface NewEmail {
  readonly to: string;
  /** The person whom it concerns. Absent: an address alone. */
  readonly documento?: string;
  /** The companies that it tells of; it is dropped when the person no longer represents any of them. */
  readonly companies?: readonly string[];
  /** The kind of a notice: further ones join the message until it is due. */
  readonly notice?: string;
  /** Default: at once. */
  readonly dueAt?: EpochMs;
  readonly content: EmailContent;
}

/**
 * The outcome of an attempt. `refused`: the message will never be taken; `later`: not now; `away`: the
 * server takes no message now. `reason` is Portuguese, a part of a sentence.
 */
export type Outcome =
  { readonly kind: 'sent' } | { readonly kind: 'refused' | 'later' | 'away'; readonly reason: string };

/** Time from the first attempt after which a failed message is given up. */
export const GIVEN_UP_AFTER_MS = 24 * HOUR_MS;
const FIRST_DELAY_MS = 5 * MINUTE_MS;
export const LONGEST_DELAY_MS = HOUR_MS;

/** Returns the delay after the `attempts`-th attempt. */
export const delayAfter = (attempts: number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);

/** Counts of the messages, for administrators. */
export interface EmailState {
  readonly waiting: number;
  /** Messages that were given up in the last 30 days. */
  readonly givenUp: number;
}
