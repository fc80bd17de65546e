/** Creates the sender from the settings `entrega.*`. */
import type { RealTime } from '../../../clock.ts';
import type { Settings } from '../../../settings/config.ts';
import { readAuthorities } from '../../../settings/authorities.ts';
import { parsePrivateNetworks } from './address-policy.ts';
import type { OwnMachine } from './own-machine.ts';
import { HttpsSender } from './sender.ts';
import { parseTargetMap } from './target-map.ts';

/** Throws `UsageError` when a setting cannot be used. */
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
    ca: readAuthorities(settings, 'entrega.ca'),
  });
}
