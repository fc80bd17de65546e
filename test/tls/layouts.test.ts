/**
 * The holder of a certificate, and its validity: the content that is read, without a connection (contract
 * section 16).
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { X509Certificate } from 'node:crypto';
import { DAY_MS } from '../../src/clock.ts';
import { readCertificate } from '../../src/tls/certificate.ts';
import { type PresentedCertificate, judge } from '../../src/tls/fitness.ts';
import { documentoOf } from '../../src/tls/holder.ts';
import { type RevocationList, readRevocationLists } from '../../src/tls/revocation.ts';
import { Trust } from '../../src/tls/trust.ts';
import { COMPANY, KeyUsageFlags, PERSON, TestCa, derOf, type Wanted, now, personData } from './authority.ts';

const CPF = '00000000191';
const OTHER_CPF = '00000000272';
const CNPJ = '12345678000195';

let ca: TestCa;
beforeAll(async () => {
  ca = await TestCa.create('AC Teste');
});

describe('the number of the holder', () => {
  const of = async (name: string, otherNames?: Wanted['otherNames'], textTag?: number) => {
    const wanted = { ...(otherNames && { otherNames }), ...(textTag !== undefined && { textTag }) };
    return documentoOf(readCertificate(derOf((await ca.issue(name, wanted)).cert)));
  };

  test.each([
    ['a CPF', `MARIA DA SILVA:${CPF}`, CPF],
    ['a CNPJ', `EXEMPLO IMPORTADORA SA:${CNPJ}`, CNPJ],
    ['an alphanumeric CNPJ', 'NOVA SA:12ABC34501DE35', '12ABC34501DE35'],
    ['a name with colons, a comma and accents', `JOSÉ: O BOM, FILHO:${CPF}`, CPF],
    ['no number', 'MARIA DA SILVA', undefined],
    ['ten digits', 'MARIA:0000000019', undefined],
    ['twelve digits', 'MARIA:000000001912', undefined],
    ['digits in its middle', `MARIA:${CPF}:X`, undefined],
    ['zeros', `MARIA:${'0'.repeat(11)}`, undefined],
    ['lower case letters', 'NOVA SA:12abc34501de35', undefined],
  ])('of the CN with %s', async (_case, name, expected) => {
    expect(await of(name)).toBe(expected);
  });

  test.each([0x04, 0x13, 0x0c])('is read from the SAN alone, with its text encoded as %i', async (tag) => {
    expect(await of('MARIA', { [PERSON]: personData(CPF) }, tag)).toBe(CPF);
    expect(await of('EXEMPLO', { [COMPANY]: CNPJ }, tag)).toBe(CNPJ);
  });

  test('is that of the SAN, if the CN has another', async () => {
    expect(await of(`MARIA:${OTHER_CPF}`, { [PERSON]: personData(CPF) })).toBe(CPF);
    expect(await of('EXEMPLO:11222333000181', { [COMPANY]: CNPJ })).toBe(CNPJ);
  });

  test('is that of the company, if the SAN also names the person responsible', async () => {
    const names = {
      '2.16.76.1.3.4': personData(OTHER_CPF),
      '2.16.76.1.3.2': 'MARIA RESPONSAVEL',
      [COMPANY]: CNPJ,
      '2.16.76.1.3.7': '0'.repeat(12),
    };
    expect(await of(`EXEMPLO:${CNPJ}`, names)).toBe(CNPJ);
    expect(await of('EXEMPLO', { '2.16.76.1.3.4': personData(OTHER_CPF) })).toBeUndefined();
  });

  test('is absent, and not that of the CN, if the SAN has a name without a number', async () => {
    expect(await of(`MARIA:${CPF}`, { [PERSON]: '01011980' })).toBeUndefined();
    expect(await of(`MARIA:${CPF}`, { [PERSON]: personData('0'.repeat(11)) })).toBeUndefined();
    expect(await of(`EXEMPLO:${CNPJ}`, { [COMPANY]: '123' })).toBeUndefined();
  });
});

describe('a certificate', () => {
  const NAME = `MARIA:${CPF}`;
  const trustOf = (...lists: RevocationList[]): Trust =>
    new Trust(
      [{ pem: ca.pem, x509: new X509Certificate(ca.pem), certificate: readCertificate(derOf(ca.pem)) }],
      [{ file: 'lcr.pem', lists }],
    );
  const presentedBy = (...pems: string[]): PresentedCertificate => ({
    chain: [...pems, ca.pem].map(derOf),
    byProxy: false,
  });
  const verdict = async (wanted: Wanted, at = now()): Promise<unknown> =>
    judge(presentedBy((await ca.issue(NAME, wanted)).cert), trustOf(), at);

  test('is valid from its first to its last second', async () => {
    const { cert } = await ca.issue(NAME, { from: -1, to: 1 });
    const { notBefore, notAfter } = readCertificate(derOf(cert));
    expect(notAfter - notBefore).toBe(2 * DAY_MS);
    const at = (instant: number) => judge(presentedBy(cert), trustOf(), instant);
    expect(at(notBefore - 1)).toMatchObject({ unfit: 'ainda não é válido' });
    expect(at(notBefore)).toMatchObject({ documento: CPF });
    expect(at(notAfter)).toMatchObject({ documento: CPF });
    expect(at(notAfter + 1)).toMatchObject({ unfit: 'está vencido' });
  });

  test('is accepted for clients by its purposes, or without any', async () => {
    const [client, server, any] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];
    for (const purposes of [[], [client], [server, client], [any]])
      expect(await verdict({ purposes })).toMatchObject({ documento: CPF });
    expect(await verdict({ purposes: [server] })).toMatchObject({
      unfit: 'não é para autenticação de cliente',
    });
  });

  test('is accepted only with a key that can sign', async () => {
    const { digitalSignature, keyAgreement, keyEncipherment, cRLSign } = KeyUsageFlags;
    for (const usages of [digitalSignature | keyEncipherment, keyAgreement])
      expect(await verdict({ usages })).toMatchObject({ documento: CPF });
    for (const usages of [keyEncipherment, cRLSign])
      expect(await verdict({ usages })).toMatchObject({ unfit: 'não é para autenticação de cliente' });
  });

  test('is refused without a check if the handshake refused it, and if it is unreadable', async () => {
    const good = presentedBy((await ca.issue(NAME)).cert);
    expect(judge({ ...good, refusal: 'X' }, trustOf(), now())).toMatchObject({
      unfit: 'não foi aceito na conexão (X)',
    });
    for (const broken of [[], [1, 2, 3], [0x30, 0x80, 0, 0], [...(good.chain[0] ?? [])].slice(0, 200)])
      expect(judge({ ...good, chain: [new Uint8Array(broken)] }, trustOf(), now())).toMatchObject({
        unfit: 'não pode ser interpretado',
      });
  });

  test('of a former authority is refused, even if the handshake accepted it', async () => {
    const good = presentedBy((await ca.issue(NAME)).cert);
    expect(judge(good, new Trust([], []), now())).toMatchObject({
      unfit: 'não é de uma autoridade de tls.clientes',
    });
  });

  test('is revoked only by the list of its own authority, and so is an intermediate; an old list applies', async () => {
    const middle = await ca.intermediate('AC Intermediaria');
    const { cert, serial } = await middle.issue(NAME);
    const chain = { chain: [cert, middle.pem, ca.pem].map(derOf), byProxy: false };
    const trust = async (...lists: Promise<{ rawData: ArrayBuffer }>[]) => {
      const read = lists.map(async (list) => readRevocationLists(new Uint8Array((await list).rawData)));
      return trustOf(...(await Promise.all(read)).flat());
    };
    const judgeWith = async (...lists: Promise<{ rawData: ArrayBuffer }>[]) =>
      judge(chain, await trust(...lists), now());
    expect(await judgeWith()).toMatchObject({ documento: CPF });
    expect(await judgeWith(middle.revocations([]), ca.revocations([]))).toMatchObject({ documento: CPF });
    expect(await judgeWith(middle.revocations(['0a', serial]))).toMatchObject({ unfit: 'foi revogado' });
    expect(await judgeWith(middle.revocations([serial], { from: -60, to: -30 }))).toMatchObject({
      unfit: 'foi revogado',
    });
    const alike = middle.revocations([serial], { name: 'AC  Interna' });
    expect(await judgeWith(alike)).toMatchObject({ documento: CPF });
    expect(await judgeWith(middle.revocations([serial], { name: 'AC  Intermediaria' }))).toMatchObject({
      unfit: 'foi revogado',
    });
    expect(await judgeWith(ca.revocations([serial]))).toMatchObject({ documento: CPF });
    expect(await judgeWith(ca.revocations([middle.cert.serialNumber]))).toMatchObject({
      unfit: 'foi revogado',
    });
  });
});
