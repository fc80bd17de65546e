/** Where a request comes from and who says so: the connection itself, or a proxy that is trusted (contract section 16). */
import type { EpochMs } from '../clock.ts';
import type { Settings } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Client } from '../http/exchange-log.ts';
import { plainAddressOf } from '../http/server.ts';
import { type Presented, judged } from './fitness.ts';
import { secureConnectionOf } from './listener.ts';
import { Proxies } from './proxies.ts';
import type { Trust } from './trust.ts';

export interface OriginsParts {
  readonly settings: Settings;
  readonly trust: () => Trust;
  /** Real time, also on a test clock. */
  readonly now: () => EpochMs;
  readonly log: Logger;
}

export class Origins {
  readonly #parts: OriginsParts;
  readonly #proxies: Proxies;

  constructor(parts: OriginsParts) {
    this.#parts = parts;
    this.#proxies = new Proxies(parts.settings['proxy.confiavel'], parts.settings['proxy.certificado']);
  }

  /** Of a proxy itself only where nobody trusts it. */
  clientOf(request: Request): Client {
    const secure = secureConnectionOf(request);
    const scheme = secure === undefined ? 'http' : 'https';
    const address = peerOf(request);
    if (!this.#isBehindProxy(address, request)) return { address, scheme };
    return {
      address: this.#proxies.addressBehind(address, request),
      scheme: this.#proxies.schemeBehind(scheme, request),
    };
  }

  /** Of the client's certificate, where it has a usable one. Why not is told by the log alone. */
  holderOf(
    request: Request,
  ): { readonly documento: string; readonly serial: string; readonly mayAdminister: boolean } | undefined {
    const presented = this.#presentedBy(request);
    if (presented === undefined) return undefined;
    const verdict = judged(presented, this.#parts.trust(), this.#parts.now());
    if ('documento' in verdict)
      return {
        documento: verdict.documento,
        serial: verdict.serial,
        // A handshake proves that the holder has the key; for a header the operator's word stands.
        mayAdminister: !presented.byProxy || this.#parts.settings['proxy.administradores'],
      };
    this.#parts.log.info('O certificado de cliente de {address} {reason}.', {
      address: this.clientOf(request).address,
      reason: verdict.unfit,
    });
    return undefined;
  }

  /** A trusted proxy's own certificate says nothing of the client. */
  #presentedBy(request: Request): Presented | undefined {
    return this.#isBehindProxy(peerOf(request), request)
      ? this.#proxies.certificateBehind(request)
      : secureConnectionOf(request)?.presented();
  }

  #isBehindProxy(peer: string, request: Request): boolean {
    if (this.#proxies.none || !this.#proxies.isTrusted(peer)) return false;
    return Proxies.provesItself(request, this.#parts.trust().proxySecret);
  }
}

const peerOf = (request: Request): string => secureConnectionOf(request)?.address ?? plainAddressOf(request);
