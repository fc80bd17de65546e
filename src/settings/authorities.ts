/** Roots of trust that a setting names, as files. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { reasonOf } from '../system/errors.ts';
import type { Settings } from './config.ts';

type AuthoritySetting = 'entrega.ca' | 'atributos.ca';

/** The PEM of each file. Throws `UsageError` at one that cannot be used. */
export const readAuthorities = (settings: Settings, name: AuthoritySetting): readonly string[] =>
  settings[name].map((file) => readAuthority(name, file));

function readAuthority(name: AuthoritySetting, file: string): string {
  const pem = readOrRefuse(name, file);
  const certificates = pem.split(CERTIFICATE_START).slice(1);
  if (certificates.length === 0)
    throw new UsageError(
      `${name}: o arquivo ${file} não contém certificados em PEM. Indique um arquivo com -----BEGIN CERTIFICATE-----.`,
    );
  for (const [index, certificate] of certificates.entries())
    refuseBroken(name, certificate, `${index + 1} do arquivo ${file}`);
  return pem;
}

const CERTIFICATE_START = '-----BEGIN CERTIFICATE-----';

/** Told at the start: at a delivery, a broken one would look like a receiver that nobody trusts. */
function refuseBroken(name: AuthoritySetting, certificate: string, place: string): void {
  try {
    new (nodeCrypto().X509Certificate)(CERTIFICATE_START + certificate);
  } catch {
    throw new UsageError(`${name}: o certificado ${place} está danificado. Corrija o arquivo ou retire-o.`);
  }
}

function readOrRefuse(name: AuthoritySetting, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${name}: o arquivo ${file} não pode ser lido (${reasonOf(error)}). Indique um arquivo PEM.`,
      { cause: error },
    );
  }
}
