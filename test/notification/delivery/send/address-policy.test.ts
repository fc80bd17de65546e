import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type AddressPolicy,
  judgeAddress,
  parsePrivateNetworks,
} from '../../../../src/notification/delivery/send/address-policy.ts';

const OPEN: AddressPolicy = { loopback: true, privateNetworks: 'all' };
const SERVE: AddressPolicy = { loopback: false, privateNetworks: 'all' };
const CLOSED: AddressPolicy = { loopback: false, privateNetworks: 'none' };

const kindOf = (address: string, policy: AddressPolicy): string => {
  const verdict = judgeAddress(address, policy);
  return verdict.allowed ? 'allowed' : verdict.kind;
};

/** First and last address of each range, and the addresses next to them. */
const FORBIDDEN: readonly (readonly [kind: string, inside: readonly string[], outside: readonly string[]])[] =
  [
    ['unspecified', ['0.0.0.0', '::'], []],
    ['reserved', ['0.0.0.1', '0.255.255.255'], ['1.0.0.0']],
    ['metadata', ['100.100.100.200'], ['100.100.100.199', '100.100.100.201']],
    ['metadata', ['168.63.129.16'], ['168.63.129.15', '168.63.129.17']],
    ['metadata', ['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'], []],
    ['link-local', ['169.254.0.0', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
    ['reserved', ['192.0.0.0', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
    ['documentation', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
    ['documentation', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
    ['documentation', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
    ['reserved', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
    ['benchmarking', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
    ['multicast', ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1'], ['223.255.255.255']],
    ['reserved', ['240.0.0.0', '255.255.255.254'], []],
    ['broadcast', ['255.255.255.255'], []],
    ['link-local', ['fe80::', 'fe80::1', 'febf:ffff::'], []],
    [
      'reserved',
      ['fec0::1', '::2', '::8.8.8.8', '100::1', '1fff::', '4000::', 'fbff::1', 'fe00::'],
      ['2000::'],
    ],
    [
      'reserved',
      ['64:ff9b:1::', '64:ff9b:1:ffff::8.8.8.8', '::ffff:0:8.8.8.8', '5f00::1'],
      ['64:ff9b::8.8.8.8'],
    ],
    [
      'documentation',
      ['2001:db8::', '2001:db8:ffff::', '3fff::', '3fff:fff::1'],
      ['2001:db9::', '3fff:1000::'],
    ],
    ['benchmarking', ['2001:2::', '2001:2:0:ffff::'], []],
    ['reserved', ['2001:1::1', '2001:20::1', '2001:1ff::1'], ['2001:200::']],
  ];

const IPV6_FORMS: readonly (readonly [form: string, carrying: (hex: string, inverted: string) => string])[] =
  [
    ['IPv4-mapped', (hex) => `::ffff:${hex}`],
    ['NAT64', (hex) => `64:ff9b::${hex}`],
    ['6to4', (hex) => `2002:${hex}::1`],
    ['Teredo, as the server', (hex) => `2001:0:${hex}:0:0:f7f7:f7f7`],
    ['Teredo, as the client', (_hex, inverted) => `2001:0:808:808:0:0:${inverted}`],
    ['ISATAP', (hex) => `2600::5efe:${hex}`],
    ['ISATAP of a global IPv4', (hex) => `2600::200:5efe:${hex}`],
  ];

const hexOf = (octets: readonly number[]): string => {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

describe('the address policy', () => {
  for (const [kind, inside, outside] of FORBIDDEN) {
    test(`always forbids ${kind} addresses: ${inside.join(', ')}`, () => {
      for (const address of inside) {
        expect([address, judgeAddress(address, OPEN)]).toEqual([
          address,
          expect.objectContaining({ allowed: false, kind, always: true }),
        ]);
      }
      for (const address of outside) expect([address, kindOf(address, CLOSED)]).not.toEqual([address, kind]);
    });
  }

  test('forbids texts that are no address, and the short forms of IPv4', () => {
    for (const text of [
      '',
      'localhost',
      '127.1',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '2130706433',
      '1.2.3.4/8',
      '[::1]',
    ]) {
      expect([text, kindOf(text, OPEN)]).toEqual([text, 'not-an-address']);
    }
  });

  test('forbids loopback in serve and allows it if the policy does', () => {
    for (const address of [
      '127.0.0.0',
      '127.0.0.1',
      '127.255.255.255',
      '::1',
      '::ffff:127.0.0.1',
      '2002:7f00:1::',
    ]) {
      expect([address, kindOf(address, SERVE)]).toEqual([address, 'loopback']);
      expect([address, kindOf(address, OPEN)]).toEqual([address, 'allowed']);
    }
    expect(judgeAddress('127.0.0.1', SERVE)).toMatchObject({ always: false });
  });

  test('forbids private networks if they are closed, and allows them by default', () => {
    const edges = ['10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255', 'fc00::', 'fdff:ffff::']; // prettier-ignore
    for (const address of edges) {
      expect([address, kindOf(address, CLOSED)]).toEqual([address, 'private']);
      expect([address, kindOf(address, SERVE)]).toEqual([address, 'allowed']);
    }
    for (const address of [
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
    ]) {
      // prettier-ignore
      expect([address, kindOf(address, CLOSED)]).toEqual([address, 'allowed']);
    }
  });

  test('restricts private networks to the listed ones, in every form of the address', () => {
    const narrow: AddressPolicy = { loopback: false, privateNetworks: ['10.1.0.0/16', 'fd12::/32'] };
    for (const address of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', 'fd12::1']) {
      expect([address, kindOf(address, narrow)]).toEqual([address, 'allowed']);
    }
    for (const address of ['10.0.255.255', '10.2.0.0', '192.168.0.1', '::ffff:10.2.0.0', 'fd12:1::1']) {
      expect([address, kindOf(address, narrow)]).toEqual([address, 'private']);
    }
  });

  for (const [form, carrying] of IPV6_FORMS) {
    test(`judges ${form} by the IPv4 address that it carries, whatever it is`, () => {
      fc.assert(
        fc.property(fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }), fc.boolean(), (octets, isServe) => {
          const policy = isServe ? SERVE : CLOSED;
          const address = carrying(hexOf(octets), hexOf(octets.map((octet) => 255 - octet)));
          expect(kindOf(address, policy)).toBe(kindOf(octets.join('.'), policy));
        }),
        { examples: [[[127, 0, 0, 1], true], [[169, 254, 169, 254], true], [[10, 0, 0, 1], false]] },
      ); // prettier-ignore
    });
  }

  test('allows public addresses', () => {
    for (const address of ['1.1.1.1', '161.148.0.1', '2800:3f0::1', '2606:4700::1111', '::ffff:8.8.8.8']) {
      expect([address, kindOf(address, CLOSED)]).toEqual([address, 'allowed']);
    }
  });
});

describe('the setting entrega.redes', () => {
  test('refuses words that are no private network, and names the accepted ones', () => {
    for (const text of [
      '',
      'sim',
      '10.0.0.0',
      '8.8.8.0/24',
      '10.0.0.0/7',
      '10.0.0.0/8, todas',
      '127.0.0.0/8',
      '::/0',
    ]) {
      expect(() => parsePrivateNetworks(text)).toThrow(/entrega\.redes: .* não é aceito\. Informe "todas"/);
    }
  });

  test('reads todas, nenhuma and lists', () => {
    expect(parsePrivateNetworks('todas')).toBe('all');
    expect(parsePrivateNetworks(' nenhuma ')).toBe('none');
    expect(parsePrivateNetworks('10.0.0.0/8, 192.168.5.0/24,fd00::/8')).toEqual(['10.0.0.0/8', '192.168.5.0/24', 'fd00::/8']); // prettier-ignore
  });
});
