import { describe, expect, test } from 'bun:test';
import { type EndpointRules, checkEndpoint } from '../../../../src/notification/delivery/send/endpoint.ts';

const DEV: EndpointRules = { ownMachine: 'lawful' };
const SERVE: EndpointRules = { ownMachine: 'forbidden' };
const LOCAL: EndpointRules = { ownMachine: 'any' };

const faults = (endpoint: string, rules = DEV): readonly string[] =>
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
    ['user-info', 'https://@erp.exemplo/'],
    ['user-info', 'https://:@erp.exemplo/'],
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

  test('gets every problem at once, without its password', () => {
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

describe('an endpoint on this machine', () => {
  const OWN = [
    'http://localhost/',
    'http://localhost:3000/hook?a=1',
    'http://LOCALHOST:3000',
    'http://localhost.:3000/',
    'http://127.0.0.1:3000/',
    'http://127.9.9.9:1/',
    'http://2130706433:65535/',
    'http://[::1]:3000/',
    'http://[::ffff:127.0.0.1]:3000/',
    'https://localhost:8443/',
    'https://[::1]:8443/',
  ];
  test.each(OWN)('is accepted with local receivers: %s', (endpoint) => {
    expect(faults(endpoint, LOCAL)).toEqual([]);
  });

  test.each(OWN)('is refused otherwise in dev, with a hint how to reach it: %s', (endpoint) => {
    const problems = checkEndpoint(endpoint, DEV);
    expect(problems).not.toEqual([]);
    expect(problems[0]?.message).toContain('--local-receivers');
    expect(problems[0]?.message).toContain('--map');
  });

  test.each(OWN)('is refused in serve: %s', (endpoint) => {
    const problems = checkEndpoint(endpoint, SERVE);
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems)).not.toContain('--');
  });

  const STILL_REFUSED: readonly (readonly [fault: string, endpoint: string])[] = [
    ['port', 'http://localhost:0/'],
    ['not-https', 'ftp://localhost/'],
    ['not-https', 'http://localhost.exemplo/'],
    ['not-https', 'http://meu.localhost:3000/'],
    ['not-https', 'http://10.0.0.1/'],
    ['not-https', 'http://erp.exemplo:3000/'],
    ['port', 'https://10.0.0.1:8443/'],
    ['user-info', 'http://maria@localhost:3000/'],
    ['fragment', 'http://localhost:3000/#topo'],
    ['not-a-url', 'http:localhost:3000'],
    ['no-host', 'http:///localhost:3000'],
    ['address', 'https://0.0.0.0/'],
  ];
  for (const [fault, endpoint] of STILL_REFUSED) {
    test(`and no other endpoint is accepted with it, refused as ${fault}: ${endpoint}`, () => {
      expect(faults(endpoint, LOCAL)).toEqual([fault]);
    });
  }

  test.each(['http://10.0.0.1/', 'http://erp.exemplo:3000/', 'https://10.0.0.1:8443/'])(
    'and the message names the accepted addresses: %s',
    (endpoint) => {
      const [problem] = checkEndpoint(endpoint, LOCAL);
      expect(problem?.message).toContain('só são aceitos em localhost e em endereços de loopback');
    },
  );

  test('that is not on this machine is refused in dev without that hint', () => {
    expect(JSON.stringify(checkEndpoint('http://erp.exemplo/', DEV))).not.toContain('--');
  });
});
