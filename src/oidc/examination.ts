/** Checks the provider for `catp doctor`: its discovery document, its certificate, and both clocks. */
import { type EpochMs, type RealTime, SECOND_MS } from '../clock.ts';
import { UsageError } from '../errors.ts';
import type { Settings } from '../settings/config.ts';
import { providerSettings } from './from-settings.ts';
import { Provider } from './provider.ts';
import { ProviderRefusal } from './refusal.ts';

export type ProviderState =
  | { readonly kind: 'unusable'; readonly reason: string }
  /** If the certificate was not accepted, the reason names it. */
  | { readonly kind: 'away'; readonly reason: string }
  /** `aheadMs`: time by which the clock of this machine is ahead of the provider's; negative: behind it. */
  | { readonly kind: 'wrong clock'; readonly aheadMs: number }
  | { readonly kind: 'good' };

/** Difference of the clocks that the check of an ID token tolerates. */
export const CLOCK_TOLERANCE_MS = 30 * SECOND_MS;

export async function examineProvider(
  settings: Settings,
  realTime: RealTime,
  /** Returns the time of the machine. */
  now: () => EpochMs,
): Promise<ProviderState> {
  let providerTime: EpochMs | undefined;
  try {
    const provider = new Provider(providerSettings(settings), realTime, (date) => (providerTime = date));
    await provider.metadata();
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'unusable', reason: error.message };
    if (error instanceof ProviderRefusal) return { kind: 'away', reason: error.reason };
    throw error;
  }
  const aheadMs = providerTime === undefined ? 0 : now() - providerTime;
  // The header counts whole seconds.
  return Math.abs(aheadMs) > CLOCK_TOLERANCE_MS + SECOND_MS
    ? { kind: 'wrong clock', aheadMs }
    : { kind: 'good' };
}
