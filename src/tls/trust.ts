/** Whom we believe that a client certificate is what it says: authorities, and what they have revoked. */
import type { Settings } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf } from '../system/errors.ts';
import type { Certificate } from './certificate.ts';
import { DerError, hexOf } from './der.ts';
import { type RevocationList, readRevocationLists } from './revocation.ts';
import { type Authority, readAuthorities } from './server-certificate.ts';

export class Trust {
  /** PEM, as the handshake wants them. */
  readonly authorities: readonly string[];
  readonly lists: readonly RevocationList[];
  readonly #roots: ReadonlySet<string>;
  readonly #revoked = new Map<string, ReadonlySet<string>[]>();

  constructor(authorities: readonly Authority[], lists: readonly RevocationList[]) {
    this.authorities = authorities.map(({ pem }) => pem);
    this.lists = lists;
    this.#roots = new Set(authorities.map(({ certificate }) => hexOf(certificate.der)));
    for (const { issuer, serials } of lists)
      this.#revoked.set(issuer, [...(this.#revoked.get(issuer) ?? []), serials]);
  }

  /** Whether it is one of the authorities of today: they may have changed since the handshake. */
  isAuthority({ der }: Certificate): boolean {
    return this.#roots.has(hexOf(der));
  }

  /** An authority without a list is accepted, and an old list is used (contract section 16). */
  isRevoked({ issuer, serial }: Certificate): boolean {
    return this.#revoked.get(issuer)?.some((serials) => serials.has(serial)) ?? false;
  }
}

/** Throws an `OperatorError` of one line that names the setting and the file. */
export async function readTrust(settings: Settings): Promise<Trust> {
  const authorities = readAuthorities(settings);
  const lists: RevocationList[] = [];
  for (const file of settings['tls.revogados']) lists.push(...(await readLists(file, authorities)));
  return new Trust(authorities, lists);
}

async function readLists(file: string, authorities: readonly Authority[]): Promise<RevocationList[]> {
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unfit(file, `não pôde ser lido (${reasonOf(error)})`);
  });
  let lists: RevocationList[];
  try {
    lists = await readRevocationLists(bytes);
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw unfit(file, 'não é uma lista de certificados revogados, em PEM ou DER');
  }
  if (lists.some((list) => isForged(list, authorities)))
    throw unfit(file, 'não tem a assinatura da autoridade de tls.clientes que ele nomeia');
  return lists;
}

/** Of an authority that we do not know it is used as it is: it can only make more certificates unfit. */
function isForged(list: RevocationList, authorities: readonly Authority[]): boolean {
  const named = authorities.filter(({ certificate }) => certificate.subject === list.issuer);
  return named.length > 0 && named.every(({ certificate }) => !list.isSignedBy(certificate.der));
}

const unfit = (file: string, what: string): OperatorError =>
  new OperatorError(`tls.revogados ('${file}') ${what}. Corrija o arquivo ou retire-o da configuração.`);
