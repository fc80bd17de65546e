/** The trust store: authorities of client certificates, their revocation lists, and the secret of a proxy. */
import type { X509Certificate } from 'node:crypto';
import type { Settings } from '../settings/config.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { BeyondLimit, MIB, readLargeFileUpTo, readSmallText } from '../system/bounded-file.ts';
import { oneLine, reasonOf } from '../system/errors.ts';
import { RANDOM_SECRET } from '../system/shell.ts';
import type { Certificate } from './certificate.ts';
import { DerError, hexOf } from '../pkcs12/der.ts';
import { type RevocationList, readRevocationLists } from './revocation.ts';
import { type Authority, readAuthorities } from './server-certificate.ts';

/** A file of `tls.revogados`. */
interface ListFile {
  readonly file: string;
  readonly lists: readonly RevocationList[];
}

export class Trust {
  /** PEM, the form that the handshake needs. */
  readonly authorities: readonly string[];
  readonly lists: readonly RevocationList[];
  /**
   * Warnings about revocation lists of an authority that is not in `tls.clientes`. Such a list only has an
   * effect on clients that send that authority along.
   */
  readonly unknownIssuerWarnings: readonly string[];
  /** The secret that a trusted proxy sends in X-Proxy-Secret; absent: none is required. */
  readonly proxySecret: string | undefined;
  /** Authorities by their DER in hexadecimal. */
  readonly #roots: ReadonlyMap<string, Authority>;
  readonly #revoked = new Map<string, RevocationList[]>();

  constructor(authorities: readonly Authority[], files: readonly ListFile[], proxySecret?: string) {
    this.authorities = authorities.map(({ pem }) => pem);
    const lists = files.flatMap((file) => file.lists);
    this.lists = lists;
    const subjects = new Set(authorities.map(({ certificate }) => certificate.subject));
    this.unknownIssuerWarnings = files.flatMap((file) => {
      const names = file.lists
        .filter(({ issuer }) => !subjects.has(issuer))
        .map(({ issuerText }) => issuerText);
      return names.length === 0
        ? []
        : unknownIssuerWarning(file.file, [...new Set(names)], subjects.size > 0);
    });
    this.proxySecret = proxySecret;
    this.#roots = new Map(authorities.map((authority) => [hexOf(authority.certificate.der), authority]));
    for (const list of lists)
      this.#revoked.set(list.issuer, [...(this.#revoked.get(list.issuer) ?? []), list]);
  }

  /**
   * Returns true if the certificate is a current authority. The authorities may have changed since the
   * handshake.
   */
  isAuthority({ der }: Certificate): boolean {
    return this.#roots.has(hexOf(der));
  }

  /** Returns the issuer, the issuer's issuer, and so on, within `tls.clientes`. Signatures are verified. */
  issuersOf({ der }: Certificate): Certificate[] {
    const { X509Certificate } = nodeCrypto();
    const remaining = new Set(this.#roots.values());
    const path: Certificate[] = [];
    let last = new X509Certificate(der);
    for (;;) {
      const issuer = [...remaining].find(({ x509 }) => hasIssued(x509, last));
      if (issuer === undefined) return path;
      path.push(issuer.certificate);
      remaining.delete(issuer);
      last = issuer.x509;
    }
  }

  /**
   * Returns true if the certificate is revoked. An authority without a list is accepted, and an outdated list
   * is used (contract section 16).
   */
  isRevoked({ issuer, serial }: Certificate): boolean {
    return this.#revoked.get(issuer)?.some((list) => list.has(serial)) ?? false;
  }
}

/** Number of authorities that a warning names, and characters of each. */
const NAMED_AUTHORITIES = 3;
const NAME_MAX_CHARACTERS = 100;

/** Returns the warning that the lists of these authorities reject no certificates, or only few. */
function unknownIssuerWarning(
  file: string,
  names: readonly string[],
  areCertificatesRequested: boolean,
): string {
  const listed = names
    .slice(0, NAMED_AUTHORITIES)
    .map((name) => `"${oneLine(name).slice(0, NAME_MAX_CHARACTERS)}"`)
    .join('; ');
  const more = names.length > NAMED_AUTHORITIES ? `; e mais ${names.length - NAMED_AUTHORITIES}` : '';
  const effect = areCertificatesRequested
    ? 'sua assinatura não pode ser conferida, e ela só barra quem envia essa autoridade junto com o seu certificado.'
    : 'ela não barra ninguém, porque sem tls.clientes nenhum certificado de cliente é pedido.';
  return `A lista de certificados revogados ${file} (tls.revogados) é de uma autoridade que não está em tls.clientes (${listed}${more}): ${effect}`;
}

/** Returns true if the authority may issue (its constraints and usages) and has signed the certificate. */
const hasIssued = (authority: X509Certificate, certificate: X509Certificate): boolean =>
  authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

/** Reads the trust store. Throws an `OperatorError` of one line that names the setting and the file. */
export async function readTrust(settings: Settings): Promise<Trust> {
  if (settings['proxy.certificado'] !== undefined && settings['tls.clientes'] === '')
    throw new OperatorError(
      `proxy.certificado ('${settings['proxy.certificado']}') pede tls.clientes (--tls-client-ca): o arquivo PEM das autoridades a que o certificado do cabeçalho tem de levar. Sem ele qualquer um poderia fazer o seu.`,
    );
  const authorities = readAuthorities(settings);
  const files: ListFile[] = [];
  for (const file of settings['tls.revogados'])
    files.push({ file, lists: await readLists(file, authorities) });
  return new Trust(authorities, files, readProxySecret(settings['proxy.segredo']));
}

/** Returns the first line of the file. */
function readProxySecret(file: string): string | undefined {
  if (file === '') return undefined;
  const refusal = (what: string, Kind = OperatorError): OperatorError =>
    new Kind(
      `proxy.segredo ('${file}') ${what}. Indique um arquivo com o segredo em uma linha, por exemplo o de ${RANDOM_SECRET}`,
    );
  let secret: string;
  try {
    secret = readSmallText(file).trim();
  } catch (error) {
    throw refusal(`não pôde ser lido (${reasonOf(error)})`, UsageError);
  }
  if (!SECRET.test(secret)) throw refusal('não tem um segredo que caiba em um cabeçalho');
  return secret;
}

/** Visible ASCII in one line. */
const SECRET = /^[!-~]{1,1000}$/;

/** Limit of a revocation file (contract section 16). */
const LISTS_MAX_BYTES = 64 * MIB;

async function readLists(file: string, authorities: readonly Authority[]): Promise<RevocationList[]> {
  const bytes = await readLargeFileUpTo(file, LISTS_MAX_BYTES).catch((error: unknown) => {
    if (error instanceof BeyondLimit) throw unfit(file, error.message);
    throw unfit(file, `não pôde ser lido (${reasonOf(error)})`, UsageError);
  });
  let lists: RevocationList[];
  try {
    lists = await readRevocationLists(bytes);
  } catch (error) {
    if (error instanceof BeyondLimit) throw unfit(file, error.message);
    if (!(error instanceof DerError)) throw error;
    throw unfit(file, 'não é uma lista de certificados revogados, em PEM ou DER');
  }
  for (const list of lists)
    if (await isForged(list, authorities))
      throw unfit(file, 'não tem a assinatura da autoridade de tls.clientes que ele nomeia');
  return lists;
}

/**
 * Returns true if the list names one of the authorities as its issuer and none of them signed it. A list of
 * an unknown authority is used unverified, because it can only reject more certificates.
 */
async function isForged(list: RevocationList, authorities: readonly Authority[]): Promise<boolean> {
  const named = authorities.filter(({ certificate }) => certificate.subject === list.issuer);
  for (const { certificate } of named) if (await list.isSignedBy(certificate.der)) return false;
  return named.length > 0;
}

const unfit = (file: string, what: string, Kind = OperatorError): OperatorError =>
  new Kind(`tls.revogados ('${file}') ${what}. Corrija o arquivo ou retire-o da configuração.`);
