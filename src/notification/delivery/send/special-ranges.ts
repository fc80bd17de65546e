/**
 * Every address range that is not ordinary public space, with what it is and who says so (contract section 10).
 * Sources: the IANA registries "IPv4 Special-Purpose Address Space", "IPv6 Special-Purpose Address Space", "IPv6
 * Address Space" and the RFC of each row; for cloud metadata, the provider's own documentation. The longest prefix
 * that holds an address decides; what no row holds is public.
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

/** IPv4 addresses, four bytes each, that an IPv6 address of sixteen bytes carries. */
export type Carried = (address: readonly number[]) => readonly (readonly number[])[];

export interface SpecialRange {
  /** CIDR. */
  readonly range: string;
  readonly what: AddressKind | { readonly carries: Carried };
  readonly source: string;
}

const bytes =
  (from: number): Carried =>
  (address) => [address.slice(from, from + 4)];

/** RFC 4380 section 4: the server's address, then the client's with every bit inverted. */
const teredo: Carried = (address) => [address.slice(4, 8), address.slice(12, 16).map((byte) => byte ^ 0xff)];

export const SPECIAL_RANGES: readonly SpecialRange[] = [
  // IPv4
  { range: '0.0.0.0/8', what: 'reserved', source: 'RFC 791 section 3.2, "this network"' },
  { range: '0.0.0.0/32', what: 'unspecified', source: 'RFC 1122 section 3.2.1.3' },
  { range: '10.0.0.0/8', what: 'private', source: 'RFC 1918' },
  { range: '100.64.0.0/10', what: 'private', source: 'RFC 6598, shared space of carriers (CGNAT)' },
  { range: '100.100.100.200/32', what: 'metadata', source: 'Alibaba Cloud, instance metadata' },
  { range: '127.0.0.0/8', what: 'loopback', source: 'RFC 1122 section 3.2.1.3' },
  { range: '168.63.129.16/32', what: 'metadata', source: 'Azure, platform address (wire server)' },
  { range: '169.254.0.0/16', what: 'link-local', source: 'RFC 3927' },
  {
    range: '169.254.169.254/32',
    what: 'metadata',
    source: 'AWS, Azure, Google and others, instance metadata',
  },
  { range: '172.16.0.0/12', what: 'private', source: 'RFC 1918' },
  { range: '192.0.0.0/24', what: 'reserved', source: 'RFC 6890, IETF protocol assignments' },
  { range: '192.0.0.192/32', what: 'metadata', source: 'Oracle Cloud Classic, instance metadata' },
  { range: '192.0.2.0/24', what: 'documentation', source: 'RFC 5737, TEST-NET-1' },
  { range: '192.31.196.0/24', what: 'reserved', source: 'RFC 7535, AS112' },
  { range: '192.52.193.0/24', what: 'reserved', source: 'RFC 7450, AMT' },
  { range: '192.88.99.0/24', what: 'reserved', source: 'RFC 7526, 6to4 relay anycast, deprecated' },
  { range: '192.168.0.0/16', what: 'private', source: 'RFC 1918' },
  { range: '192.175.48.0/24', what: 'reserved', source: 'RFC 7534, AS112' },
  { range: '198.18.0.0/15', what: 'benchmarking', source: 'RFC 2544' },
  { range: '198.51.100.0/24', what: 'documentation', source: 'RFC 5737, TEST-NET-2' },
  { range: '203.0.113.0/24', what: 'documentation', source: 'RFC 5737, TEST-NET-3' },
  { range: '224.0.0.0/4', what: 'multicast', source: 'RFC 5771' },
  { range: '240.0.0.0/4', what: 'reserved', source: 'RFC 1112 section 4' },
  { range: '255.255.255.255/32', what: 'broadcast', source: 'RFC 919 section 7' },

  // IPv6: only 2000::/3 is global unicast; of the rest, what is not named below is unassigned.
  { range: '::/3', what: 'reserved', source: 'RFC 4291 section 2.4 and IANA IPv6 address space' },
  { range: '4000::/2', what: 'reserved', source: 'IANA IPv6 address space' },
  { range: '8000::/1', what: 'reserved', source: 'IANA IPv6 address space' },

  // Forms without any lawful destination: forbidden whatever they carry.
  { range: '::/96', what: 'reserved', source: 'RFC 4291 section 2.5.5.1, IPv4-compatible, deprecated' },
  { range: '::ffff:0:0:0/96', what: 'reserved', source: 'RFC 2765, IPv4-translated, obsolete' },
  {
    range: '64:ff9b:1::/48',
    what: 'reserved',
    source: 'RFC 8215, local NAT64: may carry an IPv4 at four places',
  },
  { range: '::/128', what: 'unspecified', source: 'RFC 4291 section 2.5.2' },
  { range: '::1/128', what: 'loopback', source: 'RFC 4291 section 2.5.3' },

  // Forms that are judged by the IPv4 address that they carry.
  { range: '::ffff:0:0/96', what: { carries: bytes(12) }, source: 'RFC 4291 section 2.5.5.2, IPv4-mapped' },
  { range: '64:ff9b::/96', what: { carries: bytes(12) }, source: 'RFC 6052, NAT64' },
  { range: '2001::/32', what: { carries: teredo }, source: 'RFC 4380, Teredo' },
  { range: '2002::/16', what: { carries: bytes(2) }, source: 'RFC 3056, 6to4' },

  { range: '100::/64', what: 'reserved', source: 'RFC 6666, discard-only' },
  { range: '100:0:0:1::/64', what: 'reserved', source: 'RFC 9780, dummy prefix' },
  { range: '2001::/23', what: 'reserved', source: 'RFC 2928, IETF protocol assignments' },
  { range: '2001:2::/48', what: 'benchmarking', source: 'RFC 5180' },
  { range: '2001:db8::/32', what: 'documentation', source: 'RFC 3849' },
  { range: '2620:4f:8000::/48', what: 'reserved', source: 'RFC 7534, AS112' },
  { range: '3fff::/20', what: 'documentation', source: 'RFC 9637' },
  { range: '5f00::/16', what: 'reserved', source: 'RFC 9602, SRv6 segment identifiers' },
  { range: 'fc00::/7', what: 'private', source: 'RFC 4193, unique local (ULA)' },
  { range: 'fd00:42::42/128', what: 'metadata', source: 'Scaleway, instance metadata' },
  { range: 'fd00:a9fe:a9fe::1/128', what: 'metadata', source: 'Akamai (Linode), instance metadata' },
  { range: 'fd00:c1::a9fe:a9fe/128', what: 'metadata', source: 'Oracle Cloud, instance metadata' },
  { range: 'fd00:ec2::/32', what: 'metadata', source: 'AWS, instance metadata and local services' },
  { range: 'fd20:ce::254/128', what: 'metadata', source: 'Google Cloud, instance metadata' },
  { range: 'fe80::/10', what: 'link-local', source: 'RFC 4291 section 2.5.6' },
  { range: 'fec0::/10', what: 'reserved', source: 'RFC 3879, site-local, deprecated' },
  { range: 'ff00::/8', what: 'multicast', source: 'RFC 4291 section 2.7' },
];

/**
 * RFC 5214 section 6.1: an ISATAP interface identifier, under any prefix, is `0000:5efe` or `0200:5efe` followed by
 * an IPv4 address. No prefix shows it, so it has no row above.
 */
export function isatapCarried(address: readonly number[]): readonly (readonly number[])[] {
  const [first = -1, ...rest] = address.slice(8, 12);
  const isIsatap = (first === 0x00 || first === 0x02) && rest.join() === [0x00, 0x5e, 0xfe].join();
  return isIsatap ? [address.slice(12, 16)] : [];
}
