/**
 * Checks the host names of a development instance on the loopback (contract section 2). A page of any site
 * can map its own name to this machine's address and share our origin. The `Host` header of its browser
 * reveals it.
 */
import { DomainError, malformed } from '../errors.ts';
import { shown } from '../validation/shown.ts';
import { isLoopback } from '../system/loopback.ts';
import { wrong } from '../validation/decoding.ts';
import { pathnameOf } from './address.ts';

const OUR_OWN = '/appliance/api';

/**
 * Returns true for operations that we add to the specification, the administration of the instance included.
 */
const isOurOwn = (pathname: string): boolean => pathname === OUR_OWN || pathname.startsWith(`${OUR_OWN}/`);

/**
 * Throws 400 when the request names two hosts, which Bun joins: a proxy in front of us may use the other one.
 */
export function refuseTwoHosts({ headers }: Request): void {
  const host = headers.get('host');
  if (host === null || !host.includes(',')) return;
  const message = `recebido ${shown(host)}; aceita um só cabeçalho Host, com um só nome.`;
  throw malformed([wrong('Host', message, 'Host')]);
}

/**
 * Throws 421 when one of our own operations is requested under a name that is neither of the loopback nor one
 * of `names`.
 */
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
