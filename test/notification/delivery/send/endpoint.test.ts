import { describe, expect, test } from 'bun:test';
import { checkEndpoint } from '../../../../src/notification/delivery/send/endpoint.ts';

const DEV = { loopback: true } as const;
const SERVE = { loopback: false } as const;

const faults = (endpoint: string, rules = DEV as { readonly loopback: boolean }): readonly string[] =>
  checkEndpoint(endpoint, rules).map(({ fault }) => fault);

describe('an endpoint at subscription', () => {
  const REFUSED: readonly (readonly [fault: string, endpoint: string])[] = [
    ['not-a-url', 'erp.exemplo/notificacoes'],
    ['not-a-url', '/notificacoes'],
    ['not-a-url', '//erp.exemplo/'],
    ['not-a-url', ''],
    ['not-a-url', 'https://erp exemplo/'],
    ['not-a-url', 'https://erp.exemplo:99999/'],
    ['not-a-url', 'https://1.2.3.256/'],
    ['no-host', 'https://'],
    ['no-host', 'https://?a=1'],
    ['no-host', 'https:///erp.exemplo'],
    ['no-host', 'https:////erp.exemplo'],
    ['not-a-url', 'https:erp.exemplo'],
    ['not-a-url', 'https:/erp.exemplo'],
    ['not-a-url', 'https:\\\\erp.exemplo'],
    ['not-a-url', 'https://erp.exemplo\\a'],
    ['not-a-url', 'https:/\\erp.exemplo/'],
    ['not-a-url', 'https://erp.exemplo\\@outro.exemplo/'],
    ['not-a-url', 'https://erp\t.exemplo/'],
    ['not-a-url', 'https://erp.exemplo/\na'],
    ['not-a-url', 'ht\ttps://erp.exemplo/'],
    ['not-a-url', ' https://erp.exemplo/'],
    ['not-a-url', 'https://erp.exemplo/ '],
    ['not-a-url', '\rhttps://erp.exemplo/'],
    ['not-https', 'http://erp.exemplo/'],
    ['not-https', 'http://erp.exemplo:443/'],
    ['not-https', 'ftp://erp.exemplo/'],
    ['port', 'https://erp.exemplo:8443/'],
    ['port', 'https://erp.exemplo:80/'],
    ['port', 'https://erp.exemplo:0/'],
    ['user-info', 'https://maria@erp.exemplo/'],
    ['user-info', 'https://:senha@erp.exemplo/'],
    ['fragment', 'https://erp.exemplo/#topo'],
    ['fragment', 'https://erp.exemplo/#'],
    ['address', 'https://169.254.169.254/latest/'],
    ['address', 'https://0xa9fea9fe/'],
    ['address', 'https://2852039166/'],
    ['address', 'https://0.0.0.0/'],
    ['address', 'https://203.0.113.7/'],
    ['address', 'https://[::]/'],
    ['address', 'https://[fe80::1]/'],
    ['address', 'https://[::ffff:169.254.169.254]/'],
    ['address', 'https://[64:ff9b::a9fe:a9fe]/'],
  ];
  for (const [fault, endpoint] of REFUSED) {
    test(`is refused as ${fault}: ${endpoint}`, () => {
      expect(faults(endpoint)).toEqual([fault]);
    });
  }

  test('is told every problem at once, without repeating its password', () => {
    const problems = checkEndpoint('http://maria:s3nh4@203.0.113.7:8080/#x', SERVE);
    expect(problems.map(({ fault }) => fault)).toEqual(['not-https', 'user-info', 'fragment', 'address']);
    expect(JSON.stringify(problems)).not.toContain('s3nh4');
  });

  test.each([
    'https://maria:s3nh4@erp exemplo/',
    'https:maria:s3nh4@erp.exemplo/',
    'https:\\\\maria:s3nh4@erp.exemplo/',
    'https://maria:\ts3nh4@erp.exemplo/',
    'https://maria:s3nh4/x@erp.exemplo/',
    'https:///maria:s3nh4@erp.exemplo/',
  ])('that is unreadable does not have its user info repeated either: %p', (endpoint) => {
    const problems = checkEndpoint(endpoint, SERVE);
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain('s3nh4');
  });

  const ACCEPTED = [
    'https://erp.exemplo',
    'https://erp.exemplo/a/b?token=1',
    'https://erp.exemplo:443/',
    'HTTPS://ERP.EXEMPLO/',
    'https://notificações.exemplo/',
    'https://8.8.8.8/',
    'https://10.0.0.7/',
    'https://erp.exemplo/a?b=\\c',
    'https://erp.exemplo/a b',
    'https://[2606:4700::1111]/',
    'https://localhost/',
  ];
  for (const endpoint of ACCEPTED) {
    test(`is accepted: ${endpoint}`, () => {
      expect(checkEndpoint(endpoint, SERVE)).toEqual([]);
    });
  }

  const LOOPBACK = [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://127.255.255.254/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
  ];
  for (const endpoint of LOOPBACK) {
    test(`is accepted in dev and refused in serve: ${endpoint}`, () => {
      expect([faults(endpoint, DEV), faults(endpoint, SERVE)]).toEqual([[], ['address']]);
    });
  }
});
