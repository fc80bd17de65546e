/** Builds the origins of lists from the settings: all lists are downloaded in the same way. */
import type { RealTime } from '../../../clock.ts';
import { type Download, download } from '../../../outgoing/download.ts';
import { MAX_BYTES } from '../../../outgoing/exchange.ts';
import { readAuthorities } from '../../../settings/authorities.ts';
import { type Settings, environmentProxy } from '../../../settings/config.ts';
import { ORIGIN_DOMAIN, isOriginAddress } from '../../../settings/setting-kinds.ts';
import type { OriginOptions } from './origin.ts';

export interface OriginContext {
  readonly settings: Settings;
  readonly realTime: RealTime;
}

/** Returns the limit of a fetched table's file, and of its JSON (contract section 16), in bytes. */
export const fetchedMaxBytes = (settings: Settings): number =>
  Math.min(settings['importacao.maximo'], MAX_BYTES.table);

export interface OriginDownload {
  /** Downloads another address once, with the same roots and proxy. */
  readonly fetchFrom: (address: string, stopping: AbortSignal) => Promise<Download>;
}

/** Returns the settings of an origin. Throws `UsageError` for unusable certificate authorities. */
export function originSettings(
  { settings, realTime }: OriginContext,
  setting: 'atributos.origem' | 'ncm.origem',
  maxBytes: number,
): Pick<OriginOptions, 'setting' | 'isSet' | 'time' | 'fetch'> & OriginDownload {
  const { httpsProxy, noProxy } = environmentProxy(settings);
  const url = settings[setting];
  const proxy = { proxy: settings['atributos.proxy'] || httpsProxy, noProxy };
  const fetchUrl = (address: string) => {
    const ca = address === '' ? [] : readAuthorities(settings, 'atributos.ca');
    return (stopping: AbortSignal) => download({ url: address, maxBytes, ca, proxy, realTime, stopping });
  };
  return {
    setting,
    isSet: url !== '',
    time: settings['atributos.horario'],
    fetch: fetchUrl(url),
    fetchFrom: (address, stopping) =>
      isOriginAddress(address)
        ? fetchUrl(address)(stopping)
        : Promise.resolve({ ok: false, message: `o endereço não serve; aceita ${ORIGIN_DOMAIN}` }),
  };
}
