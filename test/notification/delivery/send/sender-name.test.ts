import { describe, expect, test } from 'bun:test';
import { everyAddress } from '../../../../src/notification/delivery/send/resolver.ts';
import { parseTargetMap } from '../../../../src/notification/delivery/send/target-map.ts';
import { ENDPOINT, failure, HOST, openSender, REQUEST } from '../../../support/delivery.ts';
import { openReceiver } from '../../../support/receiver.ts';

describe('a name', () => {
  const lookupOf = (...addresses: readonly string[]) => {
    const hosts: string[] = [];
    const lookup = (host: string) => (hosts.push(host), Promise.resolve(addresses));
    return { hosts, lookup };
  };
  const dev = { policy: { loopback: true, privateNetworks: 'all' } } as const;

  test('that has one forbidden address among good ones is refused, and none is dialled', async () => {
    await using receiver = await openReceiver();
    const { lookup } = lookupOf('127.0.0.1', '169.254.169.254');
    using opened = await openSender(undefined, { ...dev, lookup });
    const outcome = await opened.sender.send({ ...REQUEST, endpoint: `https://${HOST}:${receiver.port}/` });
    expect(outcome).toEqual(failure('forbidden-address', /169\.254\.169\.254, que é de metadados de nuvem; nada foi enviado/)); // prettier-ignore
    expect(receiver.connections).toBe(0);
  });

  test('of loopback is refused in serve', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(undefined, { lookup: lookupOf('127.0.0.1').lookup });
    const outcome = await opened.sender.send({ ...REQUEST, endpoint: `https://${HOST}:${receiver.port}/` });
    expect(outcome).toEqual(failure('forbidden-address', /de loopback/));
    expect(receiver.connections).toBe(0);
  });

  test('of a private network that entrega.redes closes is refused, also if the map leads to it', async () => {
    const policy = { loopback: false, privateNetworks: 'none' } as const;
    const map = parseTargetMap([`${HOST}:443=10.0.0.7:443`]);
    using byMap = await openSender(undefined, { policy, map });
    expect(await byMap.sender.send(REQUEST)).toEqual(
      failure('forbidden-address', /10\.0\.0\.7, que é de rede privada/),
    );
    using byName = await openSender(undefined, { policy, lookup: lookupOf('10.0.0.7').lookup });
    expect(await byName.sender.send(REQUEST)).toEqual(failure('forbidden-address', /entrega\.redes/));
  });

  test('that does not exist, or has no address, is a failure of the name', async () => {
    const notFound = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    using unknown = await openSender(undefined, { lookup: () => Promise.reject(notFound) });
    expect(await unknown.sender.send(REQUEST)).toEqual(failure('name', /erp\.exemplo não pôde ser resolvido \(ENOTFOUND\)/)); // prettier-ignore
    using empty = await openSender(undefined, { lookup: lookupOf().lookup });
    expect(await empty.sender.send(REQUEST)).toEqual(failure('name', /\(ENODATA\)/));
  });

  test('is resolved by the resolver of the machine', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(undefined, dev);
    const endpoint = `https://localhost:${receiver.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint })).toMatchObject({ kind: 'delivered' });
    expect(await everyAddress('localhost')).toContain('127.0.0.1');
  });

  test('is resolved once, its checked address is dialled, and TLS and HTTP get the name', async () => {
    await using receiver = await openReceiver();
    const { hosts, lookup } = lookupOf('127.0.0.1');
    using opened = await openSender(undefined, { ...dev, lookup });
    const endpoint = `https://ERP.Exemplo.:${receiver.port}/a`;
    expect(await opened.sender.send({ ...REQUEST, endpoint })).toMatchObject({ kind: 'delivered' });
    expect(hosts).toEqual([HOST]);
    expect((await receiver.next()).headers.host).toBe(`erp.exemplo.:${receiver.port}`);
  });

  test('is dialled at its next address when the first refuses the connection', async () => {
    await using receiver = await openReceiver();
    using opened = await openSender(undefined, {
      ...dev,
      lookup: lookupOf('::1', '127.0.0.2', '127.0.0.1').lookup,
    });
    const endpoint = `https://${HOST}:${receiver.port}/`;
    expect(await opened.sender.send({ ...REQUEST, endpoint })).toMatchObject({ kind: 'delivered' });
    expect(opened.sender.slotKey(endpoint)).toBe(`127.0.0.1:${receiver.port}`);
  });

  test('competes for the slots of its map target, of its last address, or of its own name while no address is known', async () => {
    const map = parseTargetMap([`${HOST}:443=127.0.0.1:8443`]);
    using opened = await openSender(undefined, {
      map,
      lookup: lookupOf('10.255.255.1').lookup,
      deadlineMs: 1,
    });
    const { sender } = opened;
    expect(sender.slotKey(ENDPOINT)).toBe('127.0.0.1:8443');
    expect(sender.slotKey('https://outro.exemplo/a')).toBe('outro.exemplo:443');
    await sender.send({ ...REQUEST, endpoint: 'https://outro.exemplo/a' });
    expect(sender.slotKey('https://outro.exemplo/b')).toBe('10.255.255.1:443');
  });
});
