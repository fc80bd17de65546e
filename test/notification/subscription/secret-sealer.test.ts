/** Secrets at rest (contract section 9). */
import { expect, test } from 'bun:test';
import { SecretSealer } from '../../../src/notification/subscription/secret-sealer.ts';

const SECRET = 'um segredo !~';
const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const secretSealer = new SecretSealer(keyOf(1));
const open = (
  from: SecretSealer,
  id: number,
  chaveSecreta: Uint8Array | null,
  chaveAutenticacao: Uint8Array | null = null,
) => from.open(id, { chaveSecreta, chaveAutenticacao });

test('a sealed secret cannot be read with another key', () => {
  expect(() => open(new SecretSealer(keyOf(2)), 1, secretSealer.seal(1, 'chaveSecreta', SECRET))).toThrow(
    'arquivo de chaves',
  );
});

test('a sealed secret cannot be opened in another row or member', () => {
  const sealed = secretSealer.seal(1, 'chaveSecreta', SECRET);
  expect(() => open(secretSealer, 2, sealed)).toThrow('assinatura 2');
  expect(() => open(secretSealer, 1, null, sealed)).toThrow('chaveAutenticacao');
});

test('a changed or shortened piece is refused', () => {
  const sealed = secretSealer.seal(1, 'chaveSecreta', SECRET);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Uint8Array.from(sealed, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(() => open(secretSealer, 1, changed)).toThrow();
  }
  for (const length of [0, 5, 12, 20, 28, sealed.length - 1])
    expect(() => open(secretSealer, 1, sealed.subarray(0, length))).toThrow();
});

test('the error of an unreadable secret does not contain it', () => {
  try {
    open(new SecretSealer(keyOf(2)), 1, secretSealer.seal(1, 'chaveSecreta', SECRET));
    expect.unreachable();
  } catch (error) {
    expect(Bun.inspect(error)).not.toContain(SECRET);
  }
});

test('a sealed secret is restored, and never sealed twice into the same bytes', () => {
  const pieces = [
    secretSealer.seal(1, 'chaveSecreta', SECRET),
    secretSealer.seal(1, 'chaveSecreta', SECRET),
  ] as const;
  expect(pieces[0]).not.toEqual(pieces[1]);
  for (const piece of pieces)
    expect(open(secretSealer, 1, piece)).toEqual({ chaveSecreta: SECRET, chaveAutenticacao: null });
  expect(Buffer.from(pieces[0]).includes(SECRET)).toBe(false);
});
