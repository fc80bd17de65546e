/**
 * The address ranges outside ordinary public space, each with its kind and source (contract section 10).
 * Sources: the IANA registries "IPv4 Special-Purpose Address Space", "IPv6 Special-Purpose Address Space",
 * "IPv6 Address Space" and the RFC of each row; for cloud metadata, the provider's documentation. The longest
 * matching prefix decides. An address without a row is public.
 */

export type AddressKind =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'reserved';

/** Extracts the IPv4 addresses, four bytes each, that an IPv6 address of sixteen bytes carries. */
export type CarriedAddresses = (address: readonly number[]) => readonly (readonly number[])[];

type SpecialRange = readonly [
  cidr: string,
  what: AddressKind | { readonly carries: CarriedAddresses },
  source: string,
];

const bytes =
  (from: number): CarriedAddresses =>
  (address) => [address.slice(from, from + 4)];

/** RFC 4380 section 4: the server's address, then the client's with every bit inverted. */
const teredo: CarriedAddresses = (address) => [
  address.slice(4, 8),
  address.slice(12, 16).map((byte) => byte ^ 0xff),
];

export const SPECIAL_RANGES: readonly SpecialRange[] = [
  // IPv4
  ['0.0.0.0/8', 'reserved', 'RFC 791 section 3.2, "this network"'],
  ['0.0.0.0/32', 'unspecified', 'RFC 1122 section 3.2.1.3'],
  ['10.0.0.0/8', 'private', 'RFC 1918'],
  ['100.64.0.0/10', 'private', 'RFC 6598, shared space of carriers (CGNAT)'],
  ['100.100.100.200/32', 'metadata', 'Alibaba Cloud, instance metadata'],
  ['127.0.0.0/8', 'loopback', 'RFC 1122 section 3.2.1.3'],
  ['168.63.129.16/32', 'metadata', 'Azure, platform address (wire server)'],
  ['169.254.0.0/16', 'link-local', 'RFC 3927'],
  ['169.254.169.254/32', 'metadata', 'AWS, Azure, Google and others, instance metadata'],
  ['172.16.0.0/12', 'private', 'RFC 1918'],
  ['192.0.0.0/24', 'reserved', 'RFC 6890, IETF protocol assignments'],
  ['192.0.0.192/32', 'metadata', 'Oracle Cloud Classic, instance metadata'],
  ['192.0.2.0/24', 'documentation', 'RFC 5737, TEST-NET-1'],
  ['192.31.196.0/24', 'reserved', 'RFC 7535, AS112'],
  ['192.52.193.0/24', 'reserved', 'RFC 7450, AMT'],
  ['192.88.99.0/24', 'reserved', 'RFC 7526, 6to4 relay anycast, deprecated'],
  ['192.168.0.0/16', 'private', 'RFC 1918'],
  ['192.175.48.0/24', 'reserved', 'RFC 7534, AS112'],
  ['198.18.0.0/15', 'benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation', 'RFC 5737, TEST-NET-2'],
  ['203.0.113.0/24', 'documentation', 'RFC 5737, TEST-NET-3'],
  ['224.0.0.0/4', 'multicast', 'RFC 5771'],
  ['240.0.0.0/4', 'reserved', 'RFC 1112 section 4'],
  ['255.255.255.255/32', 'broadcast', 'RFC 919 section 7'],

  // IPv6: only 2000::/3 is global unicast. The rest is unassigned unless a row below names it.
  ['::/3', 'reserved', 'RFC 4291 section 2.4 and IANA IPv6 address space'],
  ['4000::/2', 'reserved', 'IANA IPv6 address space'],
  ['8000::/1', 'reserved', 'IANA IPv6 address space'],

  // Forms without any lawful destination: forbidden whichever address they carry.
  ['::/96', 'reserved', 'RFC 4291 section 2.5.5.1, IPv4-compatible, deprecated'],
  ['::ffff:0:0:0/96', 'reserved', 'RFC 2765, IPv4-translated, obsolete'],
  ['64:ff9b:1::/48', 'reserved', 'RFC 8215, local NAT64: may carry an IPv4 at four places'],
  ['::/128', 'unspecified', 'RFC 4291 section 2.5.2'],
  ['::1/128', 'loopback', 'RFC 4291 section 2.5.3'],

  // Forms that are judged by the IPv4 address that they carry.
  ['::ffff:0:0/96', { carries: bytes(12) }, 'RFC 4291 section 2.5.5.2, IPv4-mapped'],
  ['64:ff9b::/96', { carries: bytes(12) }, 'RFC 6052, NAT64'],
  ['2001::/32', { carries: teredo }, 'RFC 4380, Teredo'],
  ['2002::/16', { carries: bytes(2) }, 'RFC 3056, 6to4'],

  ['100::/64', 'reserved', 'RFC 6666, discard-only'],
  ['100:0:0:1::/64', 'reserved', 'RFC 9780, dummy prefix'],
  ['2001::/23', 'reserved', 'RFC 2928, IETF protocol assignments'],
  ['2001:2::/48', 'benchmarking', 'RFC 5180'],
  ['2001:db8::/32', 'documentation', 'RFC 3849'],
  ['2620:4f:8000::/48', 'reserved', 'RFC 7534, AS112'],
  ['3fff::/20', 'documentation', 'RFC 9637'],
  ['5f00::/16', 'reserved', 'RFC 9602, SRv6 segment identifiers'],
  ['fc00::/7', 'private', 'RFC 4193, unique local (ULA)'],
  ['fd00:42::42/128', 'metadata', 'Scaleway, instance metadata'],
  ['fd00:a9fe:a9fe::1/128', 'metadata', 'Akamai (Linode), instance metadata'],
  ['fd00:c1::a9fe:a9fe/128', 'metadata', 'Oracle Cloud, instance metadata'],
  ['fd00:ec2::/32', 'metadata', 'AWS, instance metadata and local services'],
  ['fd20:ce::254/128', 'metadata', 'Google Cloud, instance metadata'],
  ['fe80::/10', 'link-local', 'RFC 4291 section 2.5.6'],
  ['fec0::/10', 'reserved', 'RFC 3879, site-local, deprecated'],
  ['ff00::/8', 'multicast', 'RFC 4291 section 2.7'],
];

/**
 * Extracts the IPv4 address of an ISATAP address. RFC 5214 section 6.1: its interface identifier, under any
 * prefix, is `0000:5efe` or `0200:5efe` followed by an IPv4 address. No prefix identifies it, so it has no
 * row above.
 */
export function isatapCarried(address: readonly number[]): readonly (readonly number[])[] {
  const [first = -1, ...rest] = address.slice(8, 12);
  const isIsatap = (first === 0x00 || first === 0x02) && rest.join() === [0x00, 0x5e, 0xfe].join();
  return isIsatap ? [address.slice(12, 16)] : [];
}
