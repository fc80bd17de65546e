/** Determines the origin of a request from the connection or from a trusted proxy (contract section 16). */
import type { EpochMs } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import type { Client } from '../http/exchange-log.ts';
import { plainAddressOf } from '../http/server.ts';
import { oneLine } from '../system/errors.ts';
import { nodeCrypto } from '../system/builtin.ts';
import { type Verdict, type PresentedCertificate, judge } from './fitness.ts';
import { secureConnectionOf, tlsPortConnectionOf } from './listener.ts';
import { Proxies } from './proxies.ts';
import type { Trust } from './trust.ts';

export class Origins {
  readonly #settings: Settings;
  readonly #trust: () => Trust;
  /** Real time, also with a test clock. */
  readonly #now: () => EpochMs;
  /** Writes to the terminal; `dev` only. */
  readonly #print: ((text: string) => void) | undefined;
  readonly #proxies: Proxies;

  constructor(settings: Settings, trust: () => Trust, now: () => EpochMs, print?: (text: string) => void) {
    this.#settings = settings;
    this.#trust = trust;
    this.#now = now;
    this.#print = print;
    this.#proxies = new Proxies(settings['proxy.confiavel'], settings['proxy.certificado']);
  }

  /** Returns the scheme of the client. Without proxies the peer is not looked up. */
  schemeOf(request: Request): Client['scheme'] {
    if (!this.#proxies.isEmpty) return this.clientOf(request).scheme;
    return secureConnectionOf(request) === undefined ? 'http' : 'https';
  }

  /** Returns the client, which is the proxy itself only if the proxy is not trusted. */
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

  /** Returns the client's certificate, if it presents one. The reason for a rejection is only logged. */
  certificateOf(request: Request) {
    const presented = this.#presentedBy(request);
    if (presented === undefined) return undefined;
    const verdict = this.#judge(presented);
    const way: 'proxy' | 'certificate' = presented.byProxy ? 'proxy' : 'certificate';
    if ('unfit' in verdict) return { way, unfit: verdict.unfit };
    // A handshake proves that the client has the key; for a header the operator's setting decides.
    const mayAdminister = !presented.byProxy || this.#settings['proxy.administradores'];
    return { way, ...verdict, mayAdminister };
  }

  /**
   * Prints in the terminal of `dev` which certificate a refused sign-in used, and the remedy (contract
   * section 15). `remedy`: for a valid certificate whose holder has no access.
   */
  refused(request: Request, code: string, remedy: string): void {
    if (this.#print === undefined) return;
    const presented = this.#presentedBy(request);
    const [reason, what] =
      presented === undefined ? this.#whyNoCertificate(request) : this.#refusalReason(presented, remedy);
    this.#print(
      `Entrada por certificado de ${this.clientOf(request).address} recusada (${code}): ${reason}. ${what}`,
    );
  }

  /** Prints in the terminal of `dev` why a sign-in by access key was refused. */
  keyRefused(request: Request, code: string, reason: string): void {
    this.#printRefusal('chave de acesso', request, code, reason);
  }

  /** Prints in the terminal of `dev` why a sign-in by password was refused. */
  passwordRefused(request: Request, code: string, reason: string): void {
    this.#printRefusal('senha', request, code, reason);
  }

  #printRefusal(means: string, request: Request, code: string, reason: string): void {
    this.#print?.(`Entrada por ${means} de ${this.clientOf(request).address} recusada (${code}): ${reason}`);
  }

  /** Returns the reason and the remedy. */
  #refusalReason(presented: PresentedCertificate, remedy: string): readonly [string, string] {
    const verdict = this.#judge(presented);
    const isGood = 'documento' in verdict;
    const state = isGood ? `serve, e é de ${verdict.documento}` : verdict.unfit;
    return [`o certificado ${state} (${identityOf(presented)})`, isGood ? remedy : verdict.remedy];
  }

  #judge(presented: PresentedCertificate): Verdict {
    return judge(presented, this.#trust(), this.#now());
  }

  #whyNoCertificate(request: Request): readonly [string, string] {
    const header = this.#settings['proxy.certificado'];
    if (this.#isBehindProxy(peerOf(request), request))
      return header === undefined
        ? [
            'o certificado que o proxy recebeu não chega aqui',
            'proxy.certificado nomeia o cabeçalho que o traz.',
          ]
        : [`o proxy não trouxe um certificado em ${header}`, 'Confira o que ele põe nesse cabeçalho.'];
    if (secureConnectionOf(request) === undefined)
      return [
        'por HTTP não vem certificado',
        'Use o endereço HTTPS; catp dev --tls faz um, com certificados.',
      ];
    if (this.#settings['tls.clientes'] === '')
      return [
        'nenhum certificado foi pedido, porque não há autoridades em tls.clientes',
        'Indique-as com --tls-client-ca, ou use catp dev --tls.',
      ];
    return [
      'não veio certificado na conexão',
      'Indique ao programa o certificado com sua chave; muitos só enviam um que leve a uma autoridade de tls.clientes.',
    ];
  }

  /** Returns the presented certificate. The certificate of a trusted proxy does not identify the client. */
  #presentedBy(request: Request): PresentedCertificate | undefined {
    return this.#isBehindProxy(peerOf(request), request)
      ? this.#proxies.certificateBehind(request)
      : secureConnectionOf(request)?.presented();
  }

  #isBehindProxy(peer: string, request: Request): boolean {
    if (this.#proxies.isEmpty || !this.#proxies.isTrusted(peer)) return false;
    return Proxies.hasSecret(request, this.#trust().proxySecret);
  }
}

/** Maximum characters of a name, longer than any real name. */
const NAME_MAX_CHARACTERS = 300;

function identityOf({ chain: [der] }: PresentedCertificate): string {
  const { X509Certificate } = nodeCrypto();
  const nameText = (name: string): string =>
    oneLine(name.trim().replaceAll('\n', ', ')).slice(0, NAME_MAX_CHARACTERS);
  try {
    const { subject, issuer, serialNumber } = new X509Certificate(der ?? '');
    return `titular ${nameText(subject)}; emissor ${nameText(issuer)}; série ${serialNumber}`;
  } catch {
    return 'sem titular, emissor ou série legíveis';
  }
}

const peerOf = (request: Request): string => tlsPortConnectionOf(request)?.address ?? plainAddressOf(request);
