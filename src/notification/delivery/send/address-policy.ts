import type { IPv4, IPv6 } from 'ipaddr.js';
import { ipaddr } from '../../../system/ipaddr.ts';
import { nodeNet } from '../../../system/builtin.ts';
import { DomainError } from '../../../errors.ts';
import { type AddressKind, isatapCarried, SPECIAL_RANGES } from './special-ranges.ts';

/**
 * The private networks that deliveries may reach: the setting `entrega.redes`. A list holds CIDR networks.
 */
export type PrivateNetworks = 'all' | 'none' | readonly string[];

export interface AddressPolicy {
  /** Forbidden in `serve`; allowed in `dev` and as a target of `entrega.mapa` (contract section 10). */
  readonly loopback: boolean;
  readonly privateNetworks: PrivateNetworks;
}

export type Verdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly kind: AddressKind | 'not-an-address';
      /** True when no policy can allow it. */
      readonly always: boolean;
      /** Portuguese, completes "o endereço … é": `de documentação`. */
      readonly what: string;
    };

type Address = IPv4 | IPv6;

const ALLOWED: Verdict = { allowed: true };

const WHAT: Record<AddressKind, string> = {
  unspecified: 'não especificado',
  loopback: 'de loopback (a própria máquina)',
  private: 'de rede privada não liberada na configuração entrega.redes',
  'link-local': 'de enlace local (link-local)',
  metadata: 'de metadados de nuvem',
  multicast: 'de multicast',
  broadcast: 'de broadcast',
  documentation: 'reservado a documentação',
  benchmarking: 'reservado a testes de desempenho',
  reserved: 'reservado',
};

let ranges: ReturnType<typeof parseRanges> | undefined;

/**
 * Parses the ranges when the first address is judged: parsing takes longer than any other module of a start.
 */
const specialRanges = () => (ranges ??= parseRanges());

const parseRanges = () =>
  SPECIAL_RANGES.map(([range, what]) => {
    const [network, prefix] = ipaddr().parseCIDR(range);
    return { network, prefix, what };
  }).sort((a, b) => b.prefix - a.prefix);

/**
 * Decides if deliveries may be sent to `address` (text, IPv4 or IPv6) under `policy`. Pure; contract section
 * 10.
 */
export function judgeAddress(address: string, policy: AddressPolicy): Verdict {
  const parsed = parse(address);
  if (parsed !== null) return judge(parsed, policy);
  return { allowed: false, kind: 'not-an-address', always: true, what: 'ilegível como endereço IP' };
}

/** Parses strictly: no short or octal forms of IPv4, no IPv6 zones. Returns `null` for any other text. */
function parse(address: string): Address | null {
  const { isIPv4, isIPv6 } = nodeNet();
  if (isIPv4(address)) return ipaddr().IPv4.parse(address);
  const isZoned = address.includes('%');
  return isIPv6(address) && !isZoned ? ipaddr().IPv6.parse(inHexadecimal(address)) : null;
}

/**
 * Writes the IPv4 part in hexadecimal: ipaddr.js reads `::8.8.8.8` (IPv4-compatible) as `::ffff:8.8.8.8`
 * (IPv4-mapped), but not in this form.
 */
function inHexadecimal(address: string): string {
  return address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

/** Returns true when no policy allows `address`. */
export const isAlwaysForbidden = (address: string): boolean => isForbiddenLiteral(address, true);

/**
 * Returns true when a subscription must not name `address`. The open private networks are checked at
 * delivery.
 */
export function isForbiddenLiteral(address: string, loopback: boolean): boolean {
  return !judgeAddress(address, { loopback, privateNetworks: 'all' }).allowed;
}

function judge(address: Address, policy: AddressPolicy): Verdict {
  const range = specialRanges().find(({ network, prefix }) => isWithin(address, network, prefix))?.what;
  const addressBytes = address.toByteArray();
  const carriedAddresses = address.kind() === 'ipv6' ? [...isatapCarried(addressBytes)] : [];
  if (typeof range === 'object') carriedAddresses.push(...range.carries(addressBytes));

  const verdicts = carriedAddresses.map((inner) => judge(ipaddr().fromByteArray([...inner]), policy));
  if (typeof range === 'string') verdicts.push(judgeKind(range, address, policy));
  return verdicts.find((verdict) => !verdict.allowed) ?? ALLOWED;
}

function judgeKind(
  kind: AddressKind,
  address: Address,
  { loopback, privateNetworks }: AddressPolicy,
): Verdict {
  const isPermitted =
    (kind === 'loopback' && loopback) || (kind === 'private' && isListed(address, privateNetworks));
  if (isPermitted) return ALLOWED;
  return { allowed: false, kind, always: kind !== 'loopback' && kind !== 'private', what: WHAT[kind] };
}

function isListed(address: Address, networks: PrivateNetworks): boolean {
  if (networks === 'all') return true;
  if (networks === 'none') return false;
  return networks.some((network) => isWithin(address, ...ipaddr().parseCIDR(network)));
}

function isWithin(address: Address, network: Address, prefix: number): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

/**
 * Reads the setting `entrega.redes`: `todas`, `nenhuma`, or networks (`10.1.0.0/16`) separated by commas.
 * Throws `DomainError` when a word is not a network, or the network is not private.
 */
export function parsePrivateNetworks(setting: string): PrivateNetworks {
  const words = setting
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const [only] = words;
  if (words.length === 1 && only === 'todas') return 'all';
  if (words.length === 1 && only === 'nenhuma') return 'none';
  const wrong = words.find((word) => !isPrivateNetwork(word));
  if (words.length > 0 && wrong === undefined) return words;
  throw new DomainError(
    'malformed',
    `entrega.redes: ${JSON.stringify(wrong ?? setting)} não é aceito. Informe "todas", "nenhuma" ou redes privadas ` +
      'em notação CIDR separadas por vírgula, por exemplo "10.1.0.0/16, 192.168.5.0/24" ' +
      '(redes privadas: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 e fc00::/7).',
  );
}

function isPrivateNetwork(cidr: string): boolean {
  if (!ipaddr().isValidCIDR(cidr)) return false;
  const [network, prefix] = ipaddr().parseCIDR(cidr);
  return specialRanges().some(
    (range) =>
      range.what === 'private' && prefix >= range.prefix && isWithin(network, range.network, range.prefix),
  );
}
