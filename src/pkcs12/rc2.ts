/**
 * RC2 decryption in CBC mode (RFC 2268). Old PFX files encrypt certificates with 40-bit RC2, and the runtime
 * does not support that key length.
 */

const PI_TABLE = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
);

const BLOCK_BYTES = 8;
const KEY_BYTES = 128;
const ROTATIONS = [1, 2, 3, 5] as const;
/** Numbers of mixing rounds between two mashing rounds, from the last to the first. */
const MIXINGS = [5, 6, 5] as const;

/** Expands the key to 64 words of 16 bits. All bits of the key are effective. */
function expanded(key: Uint8Array): Uint16Array {
  const bytes = new Uint8Array(KEY_BYTES);
  bytes.set(key);
  const pi = (index: number): number => PI_TABLE[index & 255] ?? 0;
  const at = (index: number): number => bytes[index] ?? 0;
  for (let index = key.length; index < KEY_BYTES; index += 1)
    bytes[index] = pi(at(index - 1) + at(index - key.length));
  bytes[KEY_BYTES - key.length] = pi(at(KEY_BYTES - key.length));
  for (let index = KEY_BYTES - 1 - key.length; index >= 0; index -= 1)
    bytes[index] = pi(at(index + 1) ^ at(index + key.length));
  return Uint16Array.from({ length: KEY_BYTES / 2 }, (_, word) => at(2 * word) + 256 * at(2 * word + 1));
}

function decryptBlock(words: Uint16Array, key: Uint16Array): void {
  const word = (index: number): number => words[index & 3] ?? 0;
  let offset = key.length - 1;
  for (const [turn, rounds] of MIXINGS.entries()) {
    if (turn > 0)
      for (let index = 3; index >= 0; index -= 1)
        words[index] = word(index) - (key[word(index - 1) & (key.length - 1)] ?? 0);
    for (let round = 0; round < rounds; round += 1)
      for (let index = 3; index >= 0; index -= 1) {
        const by = ROTATIONS[index] ?? 0;
        const rotated = (word(index) >>> by) | (word(index) << (16 - by));
        const mixed = (word(index - 1) & word(index - 2)) + (~word(index - 1) & word(index - 3));
        words[index] = rotated - (key[offset] ?? 0) - mixed;
        offset -= 1;
      }
  }
}

/** Decrypts and keeps the padding. Throws `RangeError` if the data is not a whole number of blocks. */
export function decryptRc2(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  if (data.length % BLOCK_BYTES !== 0) throw new RangeError('no whole blocks');
  const [words, schedule, plain] = [new Uint16Array(4), expanded(key), Buffer.alloc(data.length)];
  const view = Buffer.from(data.buffer, data.byteOffset, data.length);
  let before: Buffer = Buffer.from(iv);
  for (let offset = 0; offset < data.length; offset += BLOCK_BYTES) {
    for (let index = 0; index < 4; index += 1) words[index] = view.readUInt16LE(offset + 2 * index);
    decryptBlock(words, schedule);
    for (let index = 0; index < 4; index += 1)
      plain.writeUInt16LE((words[index] ?? 0) ^ before.readUInt16LE(2 * index), offset + 2 * index);
    before = view.subarray(offset, offset + BLOCK_BYTES);
  }
  return plain;
}
