/** Refuses plain HTTP on the HTTPS port (contract section 2). */
import { DomainError } from '../errors.ts';

const CODE = 'APPL-ER0400';

/** A host that may stand in a message: a name or address, with or without a port. */
const HOST = /^[\w.:[\]-]+$/;

/** Throws 400, with the address that the client should use. */
export function refusePlainHttp({ headers }: Request): never {
  const host = headers.get('host') ?? '';
  const address = HOST.test(host) ? `https://${host}` : 'https://';
  throw new DomainError(
    'malformed',
    `Veio HTTP sem TLS, e esta porta atende HTTPS. Nada desta requisição foi feito; o endereço desta porta começa com ${address}.`,
    { code: CODE },
  );
}
