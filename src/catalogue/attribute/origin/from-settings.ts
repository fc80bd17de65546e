/** Builds the origins of lists from the settings: all lists are downloaded in the same way. */
import type { RealTime } from '../../../clock.ts';
import { download } from '../../../outgoing/download.ts';
import { MAX_BYTES } from '../../../outgoing/exchange.ts';
import { readAuthorities } from '../../../settings/authorities.ts';
import { type Settings, environmentProxy } from '../../../settings/config.ts';
import type { OriginParts } from './origin.ts';

export interface OriginContext {
  readonly settings: Settings;
  readonly realTime: RealTime;
}

/** Returns the limit of a fetched table's file, and of its JSON (contract section 16), in bytes. */
export const fetchedMaxBytes = (settings: Settings): number =>
  Math.min(settings['importacao.maximo'], MAX_BYTES.table);

/** Returns the settings of an origin. Throws `UsageError` for unusable certificate authorities. */
export function originSettings(
  { settings, realTime }: OriginContext,
  setting: 'atributos.origem' | 'ncm.origem',
  maxBytes: number,
): Pick<OriginParts, 'setting' | 'isSet' | 'time' | 'fetch'> {
  const { httpsProxy, noProxy } = environmentProxy(settings);
  const url = settings[setting];
  const ca = url === '' ? [] : readAuthorities(settings, 'atributos.ca');
  const proxy = { proxy: settings['atributos.proxy'] || httpsProxy, noProxy };
  return {
    setting,
    isSet: url !== '',
    time: settings['atributos.horario'],
    fetch: (stopping) => download({ url, maxBytes, ca, proxy, realTime, stopping }),
  };
}
