import { nodeNet } from '../../../system/builtin.ts';
import type { Cause } from './description.ts';
import { literalOrName } from './endpoint.ts';
import type { Judge } from './judge.ts';
import type { Lookup } from './resolver.ts';
import { LOCALHOST_ADDRESSES, isOwnMachine } from './own-machine.ts';
import type { Target, TargetMap } from './target-map.ts';

export interface Destination {
  /**
   * A receiver on this machine that is called directly: without TLS, or without a check of its certificate.
   */
  readonly local: 'http' | 'https' | undefined;
  /** The `host` header: with the port when it is not the default. */
  readonly authority: string;
  /** The name or address literal that the certificate must prove. */
  readonly host: string;
  readonly isLiteral: boolean;
  readonly port: number;
  readonly hostAndPort: string;
  readonly path: string;
}

/** The targets that an endpoint's requests may dial: all checked, in the order of trial. */
export type Route =
  { readonly kind: 'open'; readonly targets: Targets } | { readonly kind: 'closed'; readonly cause: Cause };

type Targets = readonly [Target, ...Target[]];

export interface RouteParts {
  readonly judge: Judge;
  readonly map: TargetMap;
  readonly lookup: Lookup;
}

const DEFAULT_PORT = { http: 80, https: 443 } as const;

/**
 * Parses an endpoint. Returns `null` unless it is an https URL or, with `localReceivers`, a local http one.
 */
export function destinationOf(endpoint: string, localReceivers: boolean): Destination | null {
  const url = URL.parse(endpoint);
  if (url === null) return null;
  const { host, isLiteral } = literalOrName(url);
  const scheme = url.protocol === 'https:' ? 'https' : url.protocol === 'http:' ? 'http' : undefined;
  if (scheme === undefined) return null;
  const local = localReceivers && isOwnMachine(host) ? scheme : undefined;
  if (scheme === 'http' && local === undefined) return null;
  const port = url.port === '' ? DEFAULT_PORT[scheme] : Number(url.port);
  const path = `${url.pathname}${url.search}`;
  return { local, authority: url.host, host, isLiteral, port, hostAndPort: `${host}:${port}`, path };
}

/** Resolves the name once. Refuses if **any** address is forbidden (contract section 10). */
export async function findRoute(
  { local, host, port, isLiteral, hostAndPort }: Destination,
  parts: RouteParts,
): Promise<Route> {
  const mapped = parts.map.find(hostAndPort);
  if (mapped !== undefined) return check(host, [mapped], (address) => parts.judge(address, true));
  const judge: Judged = (address) => parts.judge(address, false);
  if (local !== undefined && !isLiteral) return check(host, localTargets(port), judge);
  if (isLiteral) return check(host, [{ address: host, port }], judge);
  try {
    const [first, ...others] = ipv4First(await parts.lookup(host));
    if (first === undefined) return { kind: 'closed', cause: { reason: 'name', host, code: 'ENODATA' } };
    const toTarget = (address: string): Target => ({ address, port });
    return check(host, [toTarget(first), ...others.map(toTarget)], judge);
  } catch (error) {
    const code: unknown = (error as { code?: unknown } | null)?.code;
    return {
      kind: 'closed',
      cause: { reason: 'name', host, code: typeof code === 'string' ? code : 'EAI_FAIL' },
    };
  }
}

function localTargets(port: number): Targets {
  const [first, second] = LOCALHOST_ADDRESSES;
  return [
    { address: first, port },
    { address: second, port },
  ];
}

/**
 * Sorts IPv4 addresses first: requests originate from IPv4 (specification, Events rule 2). IPv6 serves
 * receivers without IPv4.
 */
const ipv4First = (addresses: readonly string[]): readonly string[] =>
  addresses.toSorted((a, b) => Number(nodeNet().isIPv4(b)) - Number(nodeNet().isIPv4(a)));

type Judged = (address: string) => ReturnType<Judge>;

function check(host: string, targets: Targets, judge: Judged): Route {
  for (const { address } of targets) {
    const verdict = judge(address);
    if (verdict.allowed) continue;
    return { kind: 'closed', cause: { reason: 'forbidden-address', host, address, what: verdict.what } };
  }
  return { kind: 'open', targets };
}
