import { describe, expect, test } from 'bun:test';
import { parseTargetMap } from '../../../../src/notification/delivery/send/target-map.ts';

describe('entrega.mapa', () => {
  const REFUSED: readonly (readonly [entry: string, message: RegExp])[] = [
    ['', /use HOST:PORTA=ENDEREÇO:PORTA/],
    ['erp.exemplo:443', /use HOST:PORTA=ENDEREÇO:PORTA/],
    ['a:443=127.0.0.1:1=127.0.0.1:2', /use HOST:PORTA=ENDEREÇO:PORTA/],
    ['erp.exemplo=127.0.0.1:8443', /"erp\.exemplo" não tem a forma HOST:PORTA/],
    ['erp.exemplo:443=127.0.0.1', /"127\.0\.0\.1" não tem a forma HOST:PORTA/],
    ['erp.exemplo:443=::1:8443', /"::1:8443" não tem a forma HOST:PORTA/],
    ['https://erp.exemplo:443=127.0.0.1:8443', /não tem a forma HOST:PORTA/],
    ['erp exemplo:443=127.0.0.1:8443', /"erp exemplo" não é um nome de servidor/],
    ['erp/x:443=127.0.0.1:8443', /não é um nome de servidor/],
    ['erp.exemplo:443=localhost:8443', /"localhost" deve ser um endereço IP/],
    ['erp.exemplo:0=127.0.0.1:8443', /a porta 0 não existe/],
    ['erp.exemplo:443=127.0.0.1:65536', /a porta 65536 não existe/],
    ['erp.exemplo:443=169.254.169.254:80', /169\.254\.169\.254 nunca pode receber notificações/],
  ];
  for (const [entry, message] of REFUSED) {
    test(`refuses ${JSON.stringify(entry)} with the reason`, () => {
      expect(() => parseTargetMap([entry])).toThrow(message);
    });
  }

  test('refuses a second target for one host and port', () => {
    expect(() => parseTargetMap(['erp.exemplo:443=127.0.0.1:1', 'ERP.exemplo:443=127.0.0.1:2'])).toThrow(
      /erp\.exemplo:443 já foi mapeado/,
    );
  });

  test('reads the form of the file and that of the command line, and both edges of a port', () => {
    const map = parseTargetMap(['erp.exemplo:443 = 127.0.0.1:8443', 'b.exemplo:1=[::1]:65535']);
    expect(map.size).toBe(2);
    expect(map.find('erp.exemplo:443')).toEqual({ address: '127.0.0.1', port: 8443 });
    expect(map.find('b.exemplo:1')).toEqual({ address: '::1', port: 65_535 });
  });

  test('finds a host as a parsed endpoint spells it, and nothing else', () => {
    const map = parseTargetMap(['Notificações.Exemplo:443=127.0.0.1:1', '[::1]:443=127.0.0.1:2']);
    expect(map.find(`${new URL('https://NOTIFICAÇÕES.exemplo').hostname}:443`)?.port).toBe(1);
    expect(map.find('::1:443')?.port).toBe(2);
    expect(map.find('exemplo:443')).toBeUndefined();
    expect(map.find('::1:444')).toBeUndefined();
  });
});
