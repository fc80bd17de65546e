/** Access lists of Windows as text: written, and read for the permitted accounts. */
import { describe, expect, test } from 'bun:test';
import { accessIn, closingCommand, listFor, listOfReaders, nameOf } from '../../src/windows/access-list.ts';
import { virtualAccount, virtualAccountSid } from '../../src/windows/virtual-account.ts';

const MARIA = 'S-1-5-21-1004336348-1177238915-682003330-1001';
const JOSE = 'S-1-5-21-1004336348-1177238915-682003330-1002';

describe('an access list of catp', () => {
  test('permits the account, the system and its administrators, and no others', () => {
    const list = listFor([MARIA]);
    expect(list).toBe(`D:P(A;OICI;FA;;;S-1-5-18)(A;OICI;FA;;;S-1-5-32-544)(A;OICI;FA;;;${MARIA})`);
    expect(accessIn(`O:${MARIA}${list}`)).toEqual({ account: MARIA, strangers: [], isProtected: true });
  });

  test('of a file permits the account to read it', () => {
    expect(listOfReaders([MARIA])).toBe(`D:P(A;;FA;;;S-1-5-18)(A;;FA;;;S-1-5-32-544)(A;;FR;;;${MARIA})`);
  });
});

describe('an access list that is read', () => {
  test('of a new folder on drive C: permits every signed-in account', () => {
    const sddl = `O:${MARIA}D:AI(A;ID;FA;;;BA)(A;OICIIOID;GA;;;BA)(A;ID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)`;
    expect(accessIn(sddl)).toEqual({
      account: undefined,
      strangers: ['S-1-5-32-545', 'S-1-5-11'],
      isProtected: false,
    });
  });

  test('belongs to its owner; another account is a stranger', () => {
    const sddl = `O:${MARIA}D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;${JOSE})(A;OICI;FA;;;${MARIA})`;
    expect(accessIn(sddl)).toEqual({ account: MARIA, strangers: [JOSE], isProtected: true });
  });

  test('belongs to the one permitted account when the administrators own it', () => {
    const service = virtualAccountSid('catp');
    const sddl = `O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${service})`;
    expect(accessIn(sddl)).toMatchObject({ account: service, strangers: [] });
    expect(accessIn(`O:BAD:(A;;FR;;;LS)`)).toMatchObject({ account: 'S-1-5-19', strangers: [] });
  });

  test('has no effect by a refusal of rights that it does not grant', () => {
    expect(accessIn(`O:${MARIA}D:(D;;FA;;;WD)(A;;FA;;;${MARIA})`).strangers).toEqual([]);
  });

  test('permits groups of a domain, applications and conditional accounts', () => {
    const domain = 'S-1-5-21-1-2-3-513';
    const sddl = `O:${MARIA}D:(A;;FA;;;${domain})(A;;FR;;;DU)(A;;FR;;;AC)(XA;;FR;;;WD;(Member_of{SID(BA)}))`;
    expect(accessIn(sddl).strangers).toEqual([domain, 'DU', 'S-1-15-2-1', 'S-1-1-0']);
    expect(accessIn(`O:${domain}D:(A;;FA;;;${domain})`)).toMatchObject({
      account: undefined,
      strangers: [domain],
    });
  });

  test('that is missing permits every account', () => {
    expect(accessIn(`O:${MARIA}D:NO_ACCESS_CONTROL`).strangers).toEqual(['S-1-1-0']);
  });
});

test('names strangers by their names, when these are known', () => {
  expect(['S-1-1-0', 'S-1-5-32-545', 'DU', JOSE].map(nameOf)).toEqual([
    'Todos',
    'Usuários',
    'um grupo do domínio (DU)',
    JOSE,
  ]);
});

test('the remedy removes inherited rights and named accounts', () => {
  expect(closingCommand("C:\\d'água", MARIA, ['S-1-1-0', 'DU'])).toBe(
    `icacls 'C:\\d''água' /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*${MARIA}:(OI)(CI)F' /remove:g '*S-1-1-0' /T`,
  );
});

test('the account of a service has the number that Windows assigns to it', () => {
  // Windows documents this number for its own service TrustedInstaller.
  expect(virtualAccountSid('TrustedInstaller')).toBe(
    'S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464',
  );
  expect(virtualAccount('catp')).toBe('NT SERVICE\\catp');
});
