/** Origins as the settings want them: one way out for all. */
import type { RealTime } from '../../../clock.ts';
import { download } from '../../../outgoing/download.ts';
import { MAX_BYTES } from '../../../outgoing/exchange.ts';
import { readAuthorities } from '../../../settings/authorities.ts';
import { type Settings, environmentProxy } from '../../../settings/config.ts';
import type { OriginParts } from './origin.ts';

export interface Fetching {
  readonly settings: Settings;
  readonly realTime: RealTime;
}

/** Of the file of a table that is fetched, and of its JSON (contract section 16). */
export const fetchedMaxBytes = (settings: Settings): number =>
  Math.min(settings['importacao.maximo'], MAX_BYTES.table);

/** What an origin has of the settings. Throws `UsageError` at authorities that cannot be used. */
export function originSettings(
  { settings, realTime }: Fetching,
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
