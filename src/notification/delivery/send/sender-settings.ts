/** The sender as the settings `entrega.*` want it. */
import { readFileSync } from 'node:fs';
import type { RealTime } from '../../../clock.ts';
import type { Settings } from '../../../settings/config.ts';
import { nodeCrypto } from '../../../system/builtin.ts';
import { UsageError } from '../../../errors.ts';
import { reasonOf } from '../../../system/errors.ts';
import { parsePrivateNetworks } from './address-policy.ts';
import type { OwnMachine } from './own-machine.ts';
import { HttpsSender } from './sender.ts';
import { parseTargetMap } from './target-map.ts';

/** Throws `UsageError` at a setting that cannot be used. */
export function createSender(
  settings: Settings,
  { ownMachine, realTime }: { readonly ownMachine: OwnMachine; readonly realTime?: RealTime },
): HttpsSender {
  return new HttpsSender({
    ...(realTime && { realTime }),
    policy: {
      loopback: ownMachine !== 'forbidden',
      privateNetworks: parsePrivateNetworks(settings['entrega.redes']),
    },
    localReceivers: ownMachine === 'any',
    map: parseTargetMap(settings['entrega.mapa']),
    ca: settings['entrega.ca'].map(readAuthority),
  });
}

function readAuthority(file: string): string {
  const pem = readOrRefuse(file);
  const certificates = pem.split(CERTIFICATE_START).slice(1);
  if (certificates.length === 0)
    throw new UsageError(
      `entrega.ca: o arquivo ${file} não contém certificados em PEM. Indique um arquivo com -----BEGIN CERTIFICATE-----.`,
    );
  for (const [index, certificate] of certificates.entries()) refuseBroken(certificate, file, index + 1);
  return pem;
}

const CERTIFICATE_START = '-----BEGIN CERTIFICATE-----';

/** Told at the start: at a delivery, a broken one would look like a receiver that nobody trusts. */
function refuseBroken(certificate: string, file: string, position: number): void {
  try {
    new (nodeCrypto().X509Certificate)(CERTIFICATE_START + certificate);
  } catch {
    throw new UsageError(
      `entrega.ca: o certificado ${position} do arquivo ${file} está danificado. Corrija o arquivo ou retire-o.`,
    );
  }
}

function readOrRefuse(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `entrega.ca: o arquivo ${file} não pode ser lido (${reasonOf(error)}). Indique um arquivo PEM.`,
      { cause: error },
    );
  }
}
