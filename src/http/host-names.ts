/**
 * Under which names a development instance on the loopback is spoken to (contract section 2). A page of any site can give its own
 * name this machine's address and be of one origin with us; the `Host` that its browser sends tells it.
 */
import { DomainError, malformed } from '../errors.ts';
import { shown } from '../validation/shown.ts';
import { isLoopback } from '../system/loopback.ts';
import { wrong } from '../validation/decoding.ts';
import { pathnameOf } from './address.ts';

const OUR_OWN = '/appliance/api';

/** What we add to the specification, the administration of the instance included. */
const isOurOwn = (pathname: string): boolean => pathname === OUR_OWN || pathname.startsWith(`${OUR_OWN}/`);

/** Throws 400 where the request names two hosts, which Bun joins: whoever stands before us may go by the other one. */
export function refuseTwoHosts({ headers }: Request): void {
  const host = headers.get('host');
  if (host === null || !host.includes(',')) return;
  const message = `recebido ${shown(host)}; aceita um só cabeçalho Host, com um só nome.`;
  throw malformed([wrong('Host', message, 'Host')]);
}

/** Throws 421 where what we add is asked for under a name that is neither of the loopback nor one of `names`. */
export function refuseStrangeHost({ url, headers }: Request, names: readonly string[]): void {
  const host = headers.get('host');
  if (host === null || !isOurOwn(pathnameOf(url))) return;
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  if (isLoopback(name) || names.includes(name)) return;
  throw new DomainError(
    'misdirected',
    `Host: recebido ${shown(host)}; sob /appliance/api esta instância de desenvolvimento atende localhost, endereços de loopback e os nomes de servidor.nomes (${names.join(', ')}). Use um deles, ou acrescente o seu com --set servidor.nomes=….`,
  );
}
