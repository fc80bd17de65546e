/**
 * Rules for receivers on this machine: the endpoints that may name them, and the way to reach them (contract
 * sections 10 and 15).
 */
import { judgeAddress } from './address-policy.ts';

/**
 * `forbidden`: `serve`. `lawful`: `dev`, in an endpoint that is otherwise valid. `any`: `dev
 * --local-receivers`, which also accepts `http` and any port.
 */
export type OwnMachine = 'forbidden' | 'lawful' | 'any';

const LOCALHOST = 'localhost';

/** The addresses of `localhost` (RFC 6761). A hosts file or name server that differs is ignored. */
export const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'] as const;

/** Returns true when a host, as `literalOrName` returns it, is a loopback address or `localhost`. */
export function isOwnMachine(host: string): boolean {
  if (host === LOCALHOST) return true;
  const verdict = judgeAddress(host, { loopback: false, privateNetworks: 'all' });
  return !verdict.allowed && verdict.kind === 'loopback';
}
