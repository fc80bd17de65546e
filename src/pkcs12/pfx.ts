/** Reads a PFX file (PKCS #12, RFC 7292): a key and certificates, protected by a password. */
import { nodeCrypto } from '../system/builtin.ts';
import { DerError, type Element, contextTag, oidOf } from './der.ts';
import { countOf, elementsOf, membersOf, octetsOf } from './ber.ts';
import { Cost, PURPOSE, passwordBytes, pkcs12Key } from './derivation.ts';
import { type Hidden, digestOf, hiddenBy } from './encryption.ts';

export interface OpenPfx {
  /** DER. */
  readonly certificates: readonly Uint8Array[];
  /** DER of PKCS #8. */
  readonly keys: readonly Uint8Array[];
}

const CONTENT = { data: '1.2.840.113549.1.7.1', encrypted: '1.2.840.113549.1.7.6' } as const;
const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  hiddenKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
} as const;

/** Opens the file. Throws `TooCostly`, or another error if the file is invalid or the password is wrong. */
export function openPfx(file: Uint8Array, password: string): OpenPfx {
  const cost = new Cost();
  const [outer] = elementsOf(file);
  const [, authSafe, seal] = membersOf(outer);
  const content = octetsOf(contentOf(authSafe, CONTENT.data));
  const isSealed = seal === undefined ? undefined : sealOf(seal, content, cost);
  const parts = membersOf(elementsOf(content)[0]).map((part) => partOf(part, cost));
  const keys = parts.flatMap((part) => ('bags' in part ? hiddenKeysIn(part.bags, cost) : []));
  cost.check(); // all iterations that are known without a key
  if (isSealed?.(password) === false) throw new DerError('sealed by another password');
  for (const part of parts)
    if ('hidden' in part) {
      const bags = membersOf(elementsOf(part.hidden.open(password))[0]);
      keys.push(...hiddenKeysIn(bags, cost));
      cost.check();
      part.opened = bags;
    }
  const bags = parts.flatMap((part) => ('bags' in part ? part.bags : (part.opened ?? [])));
  return {
    certificates: bagsOf(bags, BAG.certificate).map(certificateOf),
    keys: [...bagsOf(bags, BAG.key).map(({ encoded }) => encoded), ...keys.map((key) => key.open(password))],
  };
}

type Part = { readonly bags: readonly Element[] } | { readonly hidden: Hidden; opened?: readonly Element[] };

/** Returns the content of a `ContentInfo` of that kind. */
function contentOf(info: Element | undefined, kind: string): Element | undefined {
  const [type, content] = membersOf(info);
  if (oidOf(type) !== kind) throw new DerError(`not ${kind}`);
  return membersOf(content, contextTag(0))[0];
}

function partOf(part: Element, cost: Cost): Part {
  const [type] = membersOf(part);
  if (oidOf(type) === CONTENT.data)
    return { bags: membersOf(elementsOf(octetsOf(contentOf(part, CONTENT.data)))[0]) };
  const [, info] = membersOf(contentOf(part, CONTENT.encrypted));
  const [, algorithm, data] = membersOf(info);
  const hidden = hiddenBy(algorithm, octetsOf(data, contextTag(0)));
  cost.add(hidden.iterations);
  return { hidden };
}

/** Returns the values of the bags of a kind. */
const bagsOf = (bags: readonly Element[], kind: string): Element[] =>
  bags.flatMap((bag) => {
    const [type, value] = membersOf(bag);
    return oidOf(type) === kind ? membersOf(value, contextTag(0)).slice(0, 1) : [];
  });

function hiddenKeysIn(bags: readonly Element[], cost: Cost): Hidden[] {
  return bagsOf(bags, BAG.hiddenKey).map((bag) => {
    const [algorithm, data] = membersOf(bag);
    const hidden = hiddenBy(algorithm, octetsOf(data));
    cost.add(hidden.iterations);
    return hidden;
  });
}

/** Returns the certificate of a bag. X.509 is the only kind in use. */
function certificateOf(bag: Element): Uint8Array {
  const [, value] = membersOf(bag);
  return octetsOf(membersOf(value, contextTag(0))[0]);
}

/** Returns a check whether `content` was sealed with a password. */
function sealOf(seal: Element, content: Uint8Array, cost: Cost): (password: string) => boolean {
  const [digestInfo, salted, counted] = membersOf(seal);
  const [algorithm, expected] = membersOf(digestInfo);
  const [digest, mac, salt] = [digestOf(algorithm), octetsOf(expected), octetsOf(salted)];
  const iterations = counted === undefined ? 1 : countOf(counted);
  cost.add(iterations);
  return (password) => {
    const { createHash, createHmac } = nodeCrypto();
    const bytes = createHash(digest).digest().length;
    const key = pkcs12Key(passwordBytes(password), { digest, salt, iterations }, PURPOSE.seal, bytes);
    return createHmac(digest, key).update(content).digest().equals(mac);
  };
}
