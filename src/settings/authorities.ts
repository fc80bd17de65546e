/** Reads the trusted root certificates in the files that a setting names. */
import { UsageError } from '../errors.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { BeyondLimit, MIB, readFileUpTo } from '../system/bounded-file.ts';
import { reasonOf } from '../system/errors.ts';
import type { Settings } from './config.ts';

type AuthoritySetting = 'entrega.ca' | 'atributos.ca' | 'email.ca' | 'oidc.ca';

/** Limits of a file of authorities (contract section 16). */
export const AUTHORITIES_MAX_BYTES = MIB;
export const AUTHORITIES_MAX = 500;

/** Returns the PEM of each file. Throws `UsageError` for an unusable file. */
export const readAuthorities = (settings: Settings, name: AuthoritySetting): readonly string[] =>
  settings[name].map((file) => readAuthority(name, file));

function readAuthority(name: AuthoritySetting, file: string): string {
  const pem = readOrRefuse(name, file);
  const certificates = pem.split(CERTIFICATE_START).slice(1);
  if (certificates.length === 0)
    throw new UsageError(
      `${name}: o arquivo ${file} não contém certificados em PEM. Indique um arquivo com -----BEGIN CERTIFICATE-----.`,
    );
  if (certificates.length > AUTHORITIES_MAX)
    throw new UsageError(
      `${name}: o arquivo ${file} tem ${certificates.length} certificados; são aceitos até ${AUTHORITIES_MAX}. Deixe nele só as autoridades necessárias.`,
    );
  for (const [index, certificate] of certificates.entries())
    refuseBroken(name, certificate, `${index + 1} do arquivo ${file}`);
  return pem;
}

const CERTIFICATE_START = '-----BEGIN CERTIFICATE-----';

/** Fails at the start: at a delivery, a broken certificate would look like an untrusted receiver. */
function refuseBroken(name: AuthoritySetting, certificate: string, place: string): void {
  try {
    new (nodeCrypto().X509Certificate)(CERTIFICATE_START + certificate);
  } catch {
    throw new UsageError(`${name}: o certificado ${place} está danificado. Corrija o arquivo ou retire-o.`);
  }
}

function readOrRefuse(name: AuthoritySetting, file: string): string {
  try {
    return readFileUpTo(file, AUTHORITIES_MAX_BYTES).toString('utf8');
  } catch (error) {
    if (error instanceof BeyondLimit)
      throw new UsageError(
        `${name}: o arquivo ${file} ${error.message}. Deixe nele só as autoridades necessárias.`,
        { cause: error },
      );
    throw new UsageError(
      `${name}: o arquivo ${file} não pode ser lido (${reasonOf(error)}). Indique um arquivo PEM.`,
      { cause: error },
    );
  }
}
