/**
 * Reads the PEM files of the HTTPS listener. An invalid file is reported by name before anything is opened
 * (contract section 16).
 */
import type { X509Certificate } from 'node:crypto';
import { DAY_MS, type EpochMs } from '../clock.ts';
import { momentText } from '../validation/calendar.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { AUTHORITIES_MAX, AUTHORITIES_MAX_BYTES } from '../settings/authorities.ts';
import type { Settings } from '../settings/config.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { BeyondLimit, readFileUpTo } from '../system/bounded-file.ts';
import { reasonOf } from '../system/errors.ts';
import { type Certificate, readCertificate } from './certificate.ts';

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
  /** End of its validity. */
  readonly until: EpochMs;
}

/** Days before the end of the validity from which a warning is given, in time for a renewal. */
const RENEW_BEFORE_DAYS = 30;

/** Returns the problem of the validity of a certificate. `undefined`: it is valid for the next 30 days. */
export function validityOf(
  pem: string,
  now: EpochMs,
): { readonly isInvalid: boolean; readonly message: string } | undefined {
  const { validFromDate, validToDate } = new (nodeCrypto().X509Certificate)(pem);
  const until = momentText(validToDate.getTime());
  if (now < validFromDate.getTime()) {
    const start = momentText(validFromDate.getTime());
    return { isInvalid: true, message: `O certificado do servidor só vale a partir de ${start}.` };
  }
  if (now > validToDate.getTime())
    return { isInvalid: true, message: `O certificado do servidor venceu em ${until}.` };
  const days = Math.floor((validToDate.getTime() - now) / DAY_MS);
  return days < RENEW_BEFORE_DAYS
    ? { isInvalid: false, message: `O certificado do servidor vence em ${days} dias (${until}).` }
    : undefined;
}

type PemSetting = 'tls.certificado' | 'tls.chave' | 'tls.clientes';

const FLAG_OF: Readonly<Record<PemSetting, string>> = {
  'tls.certificado': '--tls-cert',
  'tls.chave': '--tls-key',
  'tls.clientes': '--tls-client-ca',
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----/;
const ANY_KEY = /-----BEGIN (?:RSA |EC |DSA |ENCRYPTED |OPENSSH )?PRIVATE KEY-----/;
const ENCRYPTED_KEY = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** Reads certificate and key. Throws an `OperatorError` of one line. */
export function readServerCertificate(settings: Settings): ServerCertificate {
  const cert = readPem(settings, 'tls.certificado');
  const key = readPem(settings, 'tls.chave');
  if (!CERTIFICATE.test(cert) && ANY_KEY.test(cert) && CERTIFICATE.test(key) && !ANY_KEY.test(key))
    throw new OperatorError(
      `${settingText(settings, 'tls.certificado')} tem uma chave e ${settingText(settings, 'tls.chave')} um certificado: estão trocados. Troque --tls-cert por --tls-key.`,
    );
  if (!CERTIFICATE.test(cert)) throw unfit(settings, 'tls.certificado', 'não tem um certificado em PEM');
  if (ENCRYPTED_KEY.test(key))
    throw unfit(settings, 'tls.chave', 'está protegida por senha, que o servidor não tem a quem pedir');
  if (!ANY_KEY.test(key)) throw unfit(settings, 'tls.chave', 'não tem uma chave privada em PEM');
  return { cert, key, until: endOfPair(settings, cert, key) };
}

function endOfPair(settings: Settings, cert: string, key: string): EpochMs {
  const { X509Certificate, createPrivateKey } = nodeCrypto();
  const certificate = parseWith(settings, 'tls.certificado', () => new X509Certificate(cert));
  const privateKey = parseWith(settings, 'tls.chave', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new OperatorError(
      `${settingText(settings, 'tls.chave')} não é a chave de ${settingText(settings, 'tls.certificado')}. Indique o par que foi emitido junto.`,
    );
  return certificate.validToDate.getTime();
}

export interface Authority {
  readonly pem: string;
  readonly certificate: Certificate;
  readonly x509: X509Certificate;
}

/**
 * Reads the authorities of client certificates. Returns none if the setting names no file. Throws an
 * `OperatorError` of one line.
 */
export function readAuthorities(settings: Settings): Authority[] {
  if (settings['tls.clientes'] === '') return [];
  const pem = readPem(settings, 'tls.clientes');
  const { X509Certificate } = nodeCrypto();
  const certificates = pem.split(/(?=-----BEGIN CERTIFICATE-----)/).filter((part) => CERTIFICATE.test(part));
  if (certificates.length === 0) throw unfit(settings, 'tls.clientes', 'não tem um certificado em PEM');
  if (certificates.length > AUTHORITIES_MAX)
    throw unfit(
      settings,
      'tls.clientes',
      `tem ${certificates.length} certificados; são aceitos até ${AUTHORITIES_MAX}`,
    );
  return certificates.map((pem) =>
    parseWith(settings, 'tls.clientes', () => {
      const x509 = new X509Certificate(pem);
      return { pem, x509, certificate: readCertificate(x509.raw) };
    }),
  );
}

function readPem(settings: Settings, name: PemSetting): string {
  if (settings[name] === '')
    throw new UsageError(
      `${name}: falta o arquivo. HTTPS (tls.porta) precisa de tls.certificado (--tls-cert) e tls.chave (--tls-key), arquivos PEM.`,
    );
  try {
    return readFileUpTo(settings[name], AUTHORITIES_MAX_BYTES).toString('utf8');
  } catch (error) {
    if (error instanceof BeyondLimit) throw unfit(settings, name, error.message);
    // Contract section 16 defines a separate exit code for the authorities.
    const Kind = name === 'tls.clientes' ? OperatorError : UsageError;
    throw unfit(settings, name, `não pôde ser lido (${reasonOf(error)})`, Kind);
  }
}

function parseWith<T>(settings: Settings, name: PemSetting, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw unfit(settings, name, 'está em PEM, mas não pode ser interpretado');
  }
}

const settingText = (settings: Settings, name: PemSetting): string => `${name} ('${settings[name]}')`;

const unfit = (settings: Settings, name: PemSetting, what: string, Kind = OperatorError): OperatorError =>
  new Kind(`${settingText(settings, name)} ${what}. Indique outro arquivo PEM com ${FLAG_OF[name]}.`);
