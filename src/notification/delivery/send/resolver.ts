import { dns } from 'bun';
import { REAL_TIME, SECOND_MS } from '../../../clock.ts';

/** Resolves to all addresses of a name. Rejects, as node:dns does, with an error that has a `code`. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Time after which the system's resolver is queried too. */
const CARES_WAIT_MS = SECOND_MS;

/**
 * Resolves a name to its addresses, all from one resolver. Two resolvers are needed. The system's
 * (getaddrinfo) works on few names at a time, so that dead names would delay the others (contract section
 * 10). c-ares works on all at once, but keeps the name servers of the process start, and knows only DNS and
 * the hosts file.
 */
export const everyAddress: Lookup = async (host) => {
  if (process.platform === 'win32') return systemAddresses(host); // c-ares is not available on Windows
  const lookup = caresAddresses(host);
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  const timer = REAL_TIME.after(CARES_WAIT_MS, () => resolve(undefined));
  const caresResult = await Promise.race([lookup.catch(() => undefined), over]);
  timer.cancel();
  if (caresResult !== undefined) return caresResult;
  const system = systemAddresses(host);
  return Promise.any([lookup, system]).catch(() => system);
};

const caresAddresses: Lookup = async (host) =>
  (await dns.lookup(host, { backend: 'c-ares' })).map(({ address }) => address);

const systemAddresses: Lookup = async (host) => {
  const { lookup } = await import('node:dns/promises'); // most processes never need it
  return (await lookup(host, { all: true })).map(({ address }) => address);
};
