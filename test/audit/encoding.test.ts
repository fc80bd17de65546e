/** Encoding of the changes of one page as short text, and its decoding. */
import { expect, test } from 'bun:test';
import { decode, encode } from '../../src/audit/encoding.ts';
import type { Change } from '../../src/change.ts';

const CHANGE: Change = {
  by: '00000000191',
  action: 'INCLUSAO',
  kind: 'produto',
  key: '12345678/1',
  before: null,
  after: '1',
};

const roundTrip = (changes: readonly Change[]) => decode(encode(changes, () => 'api'));
const noted = ({ by, action, kind, key, before, after }: Change) => {
  const [actor, session, proposal = null] =
    typeof by === 'string' ? [by, null] : [by.documento, by.key, by.proposal];
  return { actor, key: session, channel: 'api', action, subject: `${kind} ${key}`, before, after, proposal };
};

test('any change after any other is decoded unchanged', () => {
  const keys = [
    '12345678/1',
    '12345678/2',
    '87654321/3',
    '87654321',
    '7',
    '8',
    '1/007',
    '1/8',
    '1/0',
    '1/',
    '1/x"\n,[',
  ];
  keys.push('1/999999999999999', '1/1000000000000000', '1/1e5', '1/-1', '1/2/3', '1/2/4', '/5', '/6', '');
  const changes = keys.flatMap((key) => [
    ...[
      { ...CHANGE, key },
      { ...CHANGE, key, before: '1', after: '2' },
    ],
    ...[
      { ...CHANGE, key, kind: 'vinculo' as const, after: null },
      { ...CHANGE, key, by: 'sistema' },
      { ...CHANGE, key, by: { documento: '00000000191', key: 'k,"1' } },
      { ...CHANGE, key, before: { nome: 'A', administrador: false }, after: { nome: 'B', orgao: null } },
      {
        ...CHANGE,
        key,
        by: { documento: '00000000191', key: null, proposal: { id: 12, by: '11111111111' } },
      },
      { ...CHANGE, key, by: { documento: '00000000191', key: null } },
    ],
  ]);
  for (const all of [changes, changes.toReversed(), keys.map((key) => ({ ...CHANGE, key }))])
    expect(roundTrip(all)).toEqual(all.map(noted) as ReturnType<typeof roundTrip>);
});

test('one more inclusion of the same kind is encoded as its number', () => {
  const changes = [1, 2, 30].map((codigo) => ({ ...CHANGE, key: `12345678/${codigo}` }));
  expect(encode(changes, () => 'import')).toBe(
    '[["12345678/1","1",null,"INCLUSAO","produto","00000000191","import"],2,30]',
  );
});

test('entries of a version without keys are decoded without a key', () => {
  expect(decode('[["12345678/1","1",null,"INCLUSAO","produto","00000000191","api"],2]')).toEqual(
    [1, 2].map((codigo) => noted({ ...CHANGE, key: `12345678/${codigo}` })) as ReturnType<typeof roundTrip>,
  );
});
