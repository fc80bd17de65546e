/** Trusted proxies and the client data that they forward: the settings `proxy.*` (contract section 16). */
import type { IPv4, IPv6 } from 'ipaddr.js';
import { ipaddr } from '../system/ipaddr.ts';
import type { Client } from '../http/exchange-log.ts';
import { isSameSecret } from '../system/same-secret.ts';
import type { PresentedCertificate } from './fitness.ts';

type Address = IPv4 | IPv6;

export class Proxies {
  readonly #networks: readonly [Address, number][];
  readonly #certificateHeader: string | undefined;

  /**
   * `networks`: CIDR, already validated by the setting. Without `certificateHeader`, no certificate is read
   * from a proxy.
   */
  constructor(networks: readonly string[], certificateHeader?: string) {
    this.#networks = networks.map((network) => ipaddr().parseCIDR(network));
    this.#certificateHeader = certificateHeader;
  }

  get isEmpty(): boolean {
    return this.#networks.length === 0;
  }

  isTrusted(address: string): boolean {
    const parsed = parse(address);
    return parsed !== undefined && this.#networks.some((network) => isWithin(parsed, network));
  }

  /**
   * Checks the proxy secret. A repeated header becomes one text with a comma, which never equals a secret.
   */
  static hasSecret({ headers }: Request, secret: string | undefined): boolean {
    return secret === undefined || isSameSecret(headers.get(SECRET_HEADER) ?? '', secret);
  }

  /**
   * Returns the rightmost untrusted address of X-Forwarded-For. Without such an address it returns `peer`,
   * which is a trusted address.
   */
  addressBehind(peer: string, { headers }: Request): string {
    const hops = headers.get('x-forwarded-for')?.split(',') ?? [];
    let address = peer;
    for (const hop of hops.reverse()) {
      const hopAddress = parse(withoutPort(hop.trim()));
      // A trusted proxy writes only addresses.
      if (hopAddress === undefined) return address;
      address = hopAddress.toString();
      if (!this.#networks.some((network) => isWithin(hopAddress, network))) return address;
    }
    return address;
  }

  schemeBehind(own: Client['scheme'], { headers }: Request): Client['scheme'] {
    const named = headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase();
    return named === 'https' || named === 'http' ? named : own;
  }

  /** Returns the client certificate that the proxy forwards. */
  certificateBehind({ headers }: Request): PresentedCertificate | undefined {
    const text = (this.#certificateHeader && headers.get(this.#certificateHeader)) ?? '';
    if (text === '') return undefined;
    const first = firstCertificate(decodeHeader(text));
    return { chain: first === undefined ? [] : [first], byProxy: true };
  }
}

const SECRET_HEADER = 'x-proxy-secret';

const BEGIN = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)$/;
const END = '-----END CERTIFICATE-----';

/**
 * Returns the first certificate. The others are not needed, because the authorities are in `tls.clientes`.
 */
function firstCertificate(pem: string): Uint8Array | undefined {
  const blocks = pem.split(END).map((block) => block.trim());
  // No text is allowed between two blocks or after the last one: a repeated header has a comma between two
  // blocks.
  if (blocks.pop() !== '' || !blocks.every((block) => BEGIN.test(block))) return undefined;
  const [, base64] = BEGIN.exec(blocks[0] ?? '') ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

function decodeHeader(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Parses `10.0.0.1`, or its IPv6-mapped form. */
function parse(address: string): Address | undefined {
  if (!ipaddr().IPv4.isValidFourPartDecimal(address) && !ipaddr().IPv6.isValid(address)) return undefined;
  return ipaddr().process(address);
}

/** Removes the port that some proxies write: `10.0.0.1:51234` or `[2001:db8::1]:51234`. */
const withoutPort = (hop: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;

const isWithin = (address: Address, [network, prefix]: readonly [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, prefix);
