/** The sender as the settings `entrega.*` want it. */
import { readFileSync } from 'node:fs';
import type { Settings } from '../../config.ts';
import { DomainError } from '../../errors.ts';
import { parsePrivateNetworks } from './address-policy.ts';
import { HttpsSender } from './sender.ts';
import { parseTargetMap } from './target-map.ts';

/** Loopback is allowed in `dev` (contract section 10). Throws `DomainError` at a setting that cannot be used. */
export function createSender(settings: Settings, { loopback }: { readonly loopback: boolean }): HttpsSender {
  return new HttpsSender({
    policy: { loopback, privateNetworks: parsePrivateNetworks(settings['entrega.redes']) },
    map: parseTargetMap(settings['entrega.mapa']),
    ca: settings['entrega.ca'].map(readAuthority),
  });
}

function readAuthority(file: string): string {
  const pem = readOrRefuse(file);
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new DomainError('malformed', `entrega.ca: o arquivo ${file} não contém certificados em PEM.`);
  return pem;
}

function readOrRefuse(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError('malformed', `entrega.ca: o arquivo ${file} não pôde ser lido (${reason}).`);
  }
}
