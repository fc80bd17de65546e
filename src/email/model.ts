/** Defines messages by e-mail: their content, and the outcome of an attempt to send one (contract section 27). */
import { type EpochMs, HOUR_MS, MINUTE_MS } from '../clock.ts';

/** The content of a message: `render.ts` makes its text and its HTML. All texts are Portuguese. */
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
  /** The companies that it concerns; it is dropped when the person no longer represents any of them. */
  readonly companies?: readonly string[];
  /** The kind of a notice: further ones join the message until it is due. */
  readonly notice?: string;
  /** Default: at once. */
  readonly dueAt?: EpochMs;
  readonly content: EmailContent;
}

/**
 * The outcome of an attempt. `refused`: the server will never accept this message; `later`: it may accept it
 * later; `away`: it accepts no message now. `reason` is Portuguese, a part of a sentence.
 */
export type Outcome =
  { readonly kind: 'sent' } | { readonly kind: 'refused' | 'later' | 'away'; readonly reason: string };

/** Time from the first attempt during which a message is sent again. */
export const RETRY_TIME_MS = 24 * HOUR_MS;
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
