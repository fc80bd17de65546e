import { setTimeout as delay } from 'node:timers/promises';
import { dns } from 'bun';
import { SECOND_MS } from '../../../clock.ts';

/** All addresses of a name; rejects, as node:dns does, with an error that has a `code`. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** After this time without an answer the system's resolver is asked too. */
const PATIENCE_MS = SECOND_MS;

/**
 * The addresses of a name, all from one resolver. Neither resolver would do alone: the system's (getaddrinfo) works on
 * few names at a time, so that dead names would hold up the others (contract section 10); c-ares works on all at once,
 * but keeps the name servers that it found when the process began, and knows only DNS and the hosts file.
 */
export const everyAddress: Lookup = async (host) => {
  if (process.platform === 'win32') return systemAddresses(host); // no c-ares there
  const asked = caresAddresses(host);
  const early = await Promise.race([
    asked.catch(() => undefined),
    delay(PATIENCE_MS, undefined, { ref: false }),
  ]);
  if (early !== undefined) return early;
  const system = systemAddresses(host);
  return Promise.any([asked, system]).catch(() => system);
};

const caresAddresses: Lookup = async (host) =>
  (await dns.lookup(host, { backend: 'c-ares' })).map(({ address }) => address);

const systemAddresses: Lookup = async (host) => {
  const { lookup } = await import('node:dns/promises'); // most processes never ask it
  return (await lookup(host, { all: true })).map(({ address }) => address);
};
