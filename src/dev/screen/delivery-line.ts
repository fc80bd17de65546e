/**
 * Formats `14:03:08 entrega 12 catp-prod-alterado → https://erp.empresa.com.br/n 200 35 ms`, or the reason of
 * a failure.
 */
import type { EpochMs } from '../../clock.ts';
import type { Outcome } from '../../notification/delivery/send/outcome.ts';
import type { Colours } from './colours.ts';
import { visible } from '../../validation/text.ts';
import { duration, shortened, timeOfDay } from './words.ts';

export interface Delivery {
  readonly id: number;
  readonly evento: string;
  readonly endpoint: string;
}

export function deliveryLine(
  { id, evento, endpoint }: Delivery,
  outcome: Exclude<Outcome, { readonly kind: 'withdrawn' }>,
  at: EpochMs,
  { faint, good, bad, strong }: Colours,
): string {
  const sent = `${faint(timeOfDay(at))} entrega ${id} ${visible(evento)} → ${visible(withoutQuery(endpoint))}`;
  return outcome.kind === 'delivered'
    ? `${sent} ${strong(good(String(outcome.status)))} ${faint(duration(outcome.ms))}`
    : `${sent} ${strong(bad('falhou'))}: ${shortened(outcome.description)}`;
}

/** Removes the query and the fragment, which may contain a token. */
export const withoutQuery = (endpoint: string): string => endpoint.replace(/[?#].*$/s, '');
