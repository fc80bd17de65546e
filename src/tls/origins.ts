/** Where a request comes from and who says so: the connection itself, or a proxy that is trusted (contract section 16). */
import type { EpochMs } from '../clock.ts';
import type { Settings } from '../config.ts';
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

  /** The client's certificate, where it shows one. Why it cannot be used is for the log alone. */
  certificateOf(request: Request) {
    const presented = this.#presentedBy(request);
    if (presented === undefined) return undefined;
    const verdict = judged(presented, this.#parts.trust(), this.#parts.now());
    const way: 'proxy' | 'certificate' = presented.byProxy ? 'proxy' : 'certificate';
    if ('unfit' in verdict) return { way, ...verdict };
    // A handshake proves that the holder has the key; for a header the operator's word stands.
    const mayAdminister = !presented.byProxy || this.#parts.settings['proxy.administradores'];
    return { way, ...verdict, mayAdminister };
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
