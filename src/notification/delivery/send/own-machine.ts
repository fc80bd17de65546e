/** Receivers on this very machine: what an endpoint may say of it, and how it is reached (contract sections 10 and 15). */
import { judgeAddress } from './address-policy.ts';

/**
 * `forbidden`: `serve`. `lawful`: `dev`, in an endpoint that is right in all else. `any`: `dev --local-receivers`, then
 * also `http` and any port.
 */
export type OwnMachine = 'forbidden' | 'lawful' | 'any';

const LOCALHOST = 'localhost';

/** What `localhost` means wherever it is asked (RFC 6761): a hosts file or name server that says otherwise is not believed. */
export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'] as const;

/** Whether a host, as `literalOrName` reads it, is a loopback address or `localhost`. */
export function isOwnMachine(host: string): boolean {
  if (host === LOCALHOST) return true;
  const verdict = judgeAddress(host, { loopback: false, privateNetworks: 'all' });
  return !verdict.allowed && verdict.kind === 'loopback';
}
