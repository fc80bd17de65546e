/**
 * Protects a development instance on the loopback against DNS rebinding (contract section 2). In this attack, a
 * site changes the DNS entry of its own name to 127.0.0.1, so that the browser treats its pages and our answers
 * as one origin. The `Host` header still holds the name of the site.
 */
import { DomainError, malformed } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { isLoopback } from '../system/loopback.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { pathnameOf } from './address.ts';

const APPLIANCE_PATH = '/appliance/api';

/**
 * Returns true for the operations that this product adds to those of the specification.
 */
const isApplianceOperation = (pathname: string): boolean =>
  pathname === APPLIANCE_PATH || pathname.startsWith(`${APPLIANCE_PATH}/`);

/**
 * Throws 400 if the request has two `Host` headers, because a proxy in front of the server may use one and the
 * server the other. Bun joins two headers with a comma.
 */
export function refuseTwoHosts({ headers }: Request): void {
  const host = headers.get('host');
  if (host === null || !host.includes(',')) return;
  const message = `recebido ${formatValue(host)}; aceita um só cabeçalho Host, com um só nome.`;
  throw malformed([fieldProblem('Host', message, 'Host')]);
}

/**
 * Throws 421 if the path is under /appliance/api and the host is neither a loopback address, nor `localhost`, nor
 * one of `names`.
 */
export function refuseUnknownHost({ url, headers }: Request, names: readonly string[]): void {
  const host = headers.get('host');
  if (host === null || !isApplianceOperation(pathnameOf(url))) return;
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  if (isLoopback(name) || names.includes(name)) return;
  throw new DomainError(
    'misdirected',
    `Host: recebido ${formatValue(host)}; sob /appliance/api esta instância de desenvolvimento atende localhost, endereços de loopback e os nomes de servidor.nomes (${names.join(', ')}). Use um deles, ou acrescente o seu com --set servidor.nomes=….`,
  );
}
